import type { Author } from '@fabrica/test-peers/author.ts';
import type { RunningServer } from '@fabrica/test-peers/start-server.ts';
import type { Page } from '@playwright/test';
import { accountSection, openAccount, profileParts, signInInPopup } from '../account/account-page.ts';
import { expect, expectAccessible, test } from '../journal.ts';
import { endSession, rowsOf, signInOn } from '../people.ts';
import type { Visitor } from '../steps.ts';
import { CALLS, expectConsoleErrors, pauseRequests } from '../traffic.ts';

let author: Author;
let visitor: Visitor;

test('after a session has ended, signing in again in a popup keeps the typed values', async ({
  page,
  journal,
  consoleErrors,
}) => {
  ({ author, visitor } = await openAccount(page, journal.server));
  const { sessionEnded } = visitor.m.publish;
  const { name, save, saved } = profileParts(visitor);
  await name.fill('Ada Lovelace');
  // What the sections still load would find the end of the session first.
  await expect(page.locator('.skeleton')).toHaveCount(0);
  await endSession(page, author, journal.server);
  await save.click();
  const ended = page.getByRole('alert').filter({ hasText: sessionEnded.title });
  await expect(ended).toContainText(visitor.m.account.sessionEnded);
  await expect(name).toHaveValue('Ada Lovelace');
  await expectAccessible(page);
  await signInInPopup({ author, visitor }, () =>
    ended.getByRole('button', { name: sessionEnded.signIn }).click(),
  );
  await expect(ended).toHaveCount(0);
  await expect(name).toHaveValue('Ada Lovelace');
  await expect(accountSection(visitor, 'sessions').getByRole('listitem')).toHaveCount(1);
  await save.click();
  await expect(saved).toBeVisible();
  expect(await rowsOf(journal.server, `profiles?id=eq.${author.id}`)).toMatchObject([
    { display_name: 'Ada Lovelace' },
  ]);
  expectConsoleErrors(consoleErrors, /status of 401/);
});

test.describe('signing in again while a post is published', () => {
  const TITLE = 'The heart';
  const CONTENT = 'The heart feeds itself first.';

  test.afterEach(({ journal }) => journal.provider.reset());

  /** Publishes a post whose session ends meanwhile. */
  async function publishWithoutSession(page: Page, server: RunningServer) {
    ({ author, visitor } = await signInOn(page, server));
    const { sessionEnded } = visitor.m.publish;
    await visitor.open('/admin');
    await visitor.fillPost(TITLE, CONTENT);
    const translations = await pauseRequests(page, CALLS.translate, 'POST');
    await visitor.publishButton.click();
    await translations.paused;
    await endSession(page, author, server);
    translations.release();
    const ended = page.locator('form').getByRole('alert').filter({ hasText: sessionEnded.title });
    await expect(ended).toContainText(sessionEnded.description);
    return { ended, signIn: ended.getByRole('button', { name: sessionEnded.signIn }) };
  }

  test('signing in again in a popup keeps the post, which can then be published, also after the popup was closed', async ({
    page,
    journal,
    consoleErrors,
  }) => {
    const { ended, signIn } = await publishWithoutSession(page, journal.server);
    let navigations = 0;
    page.on('framenavigated', () => {
      navigations += 1;
    });
    const [popup] = await Promise.all([page.waitForEvent('popup'), signIn.click()]);
    await popup.close();
    await expect(ended).toContainText(visitor.m.signIn.errors.POPUP_CANCELED);
    await expectAccessible(page);
    await signInInPopup({ author, visitor }, () => signIn.click());
    await expect(ended).toHaveCount(0);
    await expect(page.getByLabel(visitor.m.publish.titleField.label)).toHaveValue(TITLE);
    await visitor.expectMedicalText(CONTENT);
    await expect(page.getByAltText(visitor.m.publish.image.preview)).toBeVisible();
    await expect(visitor.publishButton).toBeFocused();
    expect(navigations).toBe(0);
    await visitor.publishButton.click();
    await expect(page).toHaveURL(/\/gallery/);
    expect(await rowsOf(journal.server, `journal_posts?user_id=eq.${author.id}`)).toMatchObject([
      { title: TITLE },
    ]);
    expectConsoleErrors(consoleErrors, /status of 401/);
  });

  test('without popups, signing in again happens on the sign-in page and keeps the draft', async ({
    page,
    journal,
    consoleErrors,
  }) => {
    await page.addInitScript(() => {
      window.open = () => null;
    });
    const { signIn } = await publishWithoutSession(page, journal.server);
    await signIn.click();
    await expect(page).toHaveURL(/\/auth\?/);
    await visitor.hydrated();
    await visitor.signIn(author.email);
    await expect(page).toHaveURL(/\/admin/);
    await expect(page.getByText(visitor.m.publish.draftRestored)).toBeVisible();
    await expect(page.getByLabel(visitor.m.publish.titleField.label)).toHaveValue(TITLE);
    await expect(page.getByAltText(visitor.m.publish.image.preview)).toBeVisible();
    expectConsoleErrors(consoleErrors, /status of 401/);
  });
});
