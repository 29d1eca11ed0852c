import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../journal.ts';
import { catalogues, Visitor } from '../steps.ts';
import { expectConsoleErrors, recordRequests } from '../traffic.ts';

const SENDING_MS = 1_500;

function fields(page: Page) {
  return {
    name: page.locator('[name=name]'),
    email: page.locator('[name=email]'),
    message: page.locator('[name=message]'),
  };
}

async function fill(page: Page): Promise<void> {
  const { name, email, message } = fields(page);
  await name.fill('Grace Hopper');
  await email.fill('grace@example.org');
  await message.fill('A moth was found in relay 70.');
}

test('the contact form requires every field and a valid e-mail address', async ({ page }) => {
  const visitor = new Visitor(page);
  const { contact } = visitor.m;
  await visitor.open('/contact');
  const { name, email, message } = fields(page);
  const send = page.getByRole('button', { name: contact.send });
  await expect(message).toHaveAttribute('rows', '6');
  for (const field of [name, email, message]) await expect(field).toHaveAttribute('required');

  await send.click();
  await expect(name).toHaveAccessibleDescription(contact.nameRequired);
  await expect(email).toHaveAccessibleDescription(contact.emailRequired);
  await expect(message).toHaveAccessibleDescription(contact.messageRequired);
  await expect(name).toBeFocused();
  await expectAccessible(page);

  await name.fill('   ');
  await message.fill('Hello');
  for (const wrong of ['grace', 'grace@', 'grace@example', 'gr ace@example.org', '@example.org']) {
    await email.fill(wrong);
    await send.click();
    await expect(email, wrong).toHaveAccessibleDescription(contact.emailInvalid);
  }
  await expect(name).toHaveAccessibleDescription(contact.nameRequired);
  await expect(message).not.toHaveAttribute('aria-invalid');
  await expect(page.getByText(contact.sent)).toHaveCount(0);

  const { de } = catalogues;
  await page.getByLabel(/^Language/).click();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(name).toHaveAccessibleDescription(de.contact.nameRequired);
  await expect(email).toHaveAccessibleDescription(de.contact.emailInvalid);
});

test('sending the contact form takes 1.5 s, makes one request, sends once and empties the form', async ({
  page,
}) => {
  await page.clock.install();
  const visitor = new Visitor(page);
  const { contact } = visitor.m;
  await visitor.open('/contact');
  await page.waitForLoadState('networkidle');
  await page.clock.pauseAt(Date.now() + 60_000);
  const requests = recordRequests(page, (request) => request.method() === 'POST');
  await fill(page);
  await page.locator('main form').evaluate((form: HTMLFormElement) => {
    form.requestSubmit();
    form.requestSubmit();
  });

  const sending = page.getByRole('button', { name: contact.sending });
  await expect(sending).toBeDisabled();
  await page.clock.runFor(SENDING_MS - 1);
  await expect(sending).toBeDisabled();
  await expect(page.getByText(contact.sent)).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(page.getByRole('button', { name: contact.send })).toBeEnabled();
  await page.clock.resume();
  const notice = visitor.notice(contact.sent);
  await expect(notice).toBeVisible();
  await expect(notice).toContainText(contact.sentDescription);
  await expect(page.locator('[data-tone]')).toHaveCount(1);
  for (const field of Object.values(fields(page))) await expect(field).toHaveValue('');
  expect(requests.map((request) => new URL(request.url()).pathname)).toEqual(['/contact.data']);
});

test('what was typed into the contact form is there after a reload, until it is sent', async ({ page }) => {
  await page.clock.install();
  const visitor = new Visitor(page);
  await visitor.open('/contact');
  await fill(page);
  await page.reload();
  await visitor.hydrated();
  const { name, email, message } = fields(page);
  await expect(name).toHaveValue('Grace Hopper');
  await expect(email).toHaveValue('grace@example.org');
  await expect(message).toHaveValue('A moth was found in relay 70.');
  await page.getByRole('button', { name: visitor.m.contact.send }).click();
  await page.clock.runFor(SENDING_MS);
  await expect(visitor.notice(visitor.m.contact.sent)).toBeVisible();
  await page.reload();
  await visitor.hydrated();
  await expect(message).toHaveValue('');
});

test('without JavaScript the contact form works, and says what is wrong', async ({
  browser,
  journal,
  consoleErrors,
}) => {
  const context = await browser.newContext({ baseURL: journal.server.url, javaScriptEnabled: false });
  const page = await context.newPage();
  const { contact } = new Visitor(page).m;
  await page.goto('/contact');
  await fill(page);
  await fields(page).email.fill('grace');
  await page.getByRole('button', { name: contact.send }).click();
  await expect(fields(page).email).toHaveAccessibleDescription(contact.emailInvalid);
  await expect(fields(page).message).toHaveValue('A moth was found in relay 70.');
  await fields(page).email.fill('grace@example.org');
  await page.getByRole('button', { name: contact.send }).click();
  await expect(page.getByRole('status').filter({ hasText: contact.sent })).toBeVisible();
  await expect(fields(page).message).toHaveValue('');
  await context.close();
  // Chromium reports the page with the complaint.
  expectConsoleErrors(consoleErrors, /status of 400/);
});
