import type { Author } from '@fabrica/test-peers/author.ts';
import type { Dialog, Page } from '@playwright/test';
import { writeOnDesk } from '../desk/desk-page.ts';
import { expect, expectAccessible, test } from '../journal.ts';
import { endSession, rowsOf, signInOn } from '../people.ts';
import { PASSWORD, Visitor } from '../steps.ts';
import { CALLS, expectConsoleErrors, pauseRequests } from '../traffic.ts';

/** A draft belongs to one tab at a time, and to nobody after a sign-out. */

const TITLE = 'The heart';
const CONTENT = 'The heart feeds itself first.';

let author: Author;
let visitor: Visitor;

test.beforeEach(async ({ page, journal }) => {
  ({ author, visitor } = await signInOn(page, journal.server));
  await visitor.open('/admin');
  await visitor.fillPost(TITLE, CONTENT);
});
test.afterEach(({ journal }) => journal.provider.reset());

const titleIn = (page: Page) => page.getByLabel(visitor.m.publish.titleField.label);
const otherTabIn = (page: Page) => page.getByRole('heading', { name: visitor.m.publish.otherTab.title });
const buttonIn = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function openSecondTab(page: Page): Promise<Visitor> {
  const second = new Visitor(await page.context().newPage());
  await second.open('/admin');
  return second;
}

/** Returns how many texts and images of drafts the browser stores. */
function storedDrafts(page: Page): Promise<{ texts: number; images: number }> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('fabrica', 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore('draft-images');
      opening.onsuccess = () => resolve(opening.result);
    });
    const images = await new Promise<number>((resolve) => {
      const count = database.transaction('draft-images').objectStore('draft-images').count();
      count.onsuccess = () => resolve(count.result);
    });
    database.close();
    return { texts: Object.keys(localStorage).filter((key) => /^fabrica_draft_/.test(key)).length, images };
  });
}

const NOTHING = { texts: 0, images: 0 };

test('signing out asks about a draft and leaves nothing of it on the computer, in no tab', async ({
  page,
}) => {
  const second = await openSecondTab(page);
  await buttonIn(second.page, visitor.m.publish.otherTab.another).click();
  await second.fillPost('The lungs', CONTENT);
  await expect.poll(() => storedDrafts(page)).toEqual({ texts: 2, images: 2 });

  const signOut = buttonIn(second.page, visitor.m.layout.signOut);
  const asked: string[] = [];
  const answer = (question: Dialog) => {
    asked.push(question.message());
    return asked.length === 1 ? question.dismiss() : question.accept();
  };
  second.page.on('dialog', (question) => void answer(question));
  await signOut.click();
  await expect(titleIn(second.page)).toHaveValue('The lungs');
  await signOut.click();
  for (const tab of [page, second.page]) await expect(tab).toHaveURL(/\/gallery$/);
  expect(asked).toEqual([visitor.m.layout.confirmSignOut, visitor.m.layout.confirmSignOut]);
  // Each tab removes its own.
  await expect.poll(() => storedDrafts(page)).toEqual(NOTHING);
});

test('signing out everywhere says that the draft goes, and removes it', async ({ page }) => {
  const { everywhere } = visitor.m.account.sessions;
  await visitor.open('/account');
  await buttonIn(page, everywhere.open).click();
  const question = page.getByRole('alertdialog', { name: everywhere.title });
  await expect(question).toContainText(everywhere.removesDraft);
  await question.getByRole('button', { name: everywhere.confirm }).click();
  await expect(page).toHaveURL(/\/gallery$/);
  expect(await storedDrafts(page)).toEqual(NOTHING);
});

test('a session that ends by itself keeps the draft, and one that a form without a script ended does not', async ({
  page,
  context,
  journal,
  consoleErrors,
}) => {
  await endSession(page, author, journal.server);
  await visitor.open('/gallery');
  await expect(buttonIn(page, visitor.m.layout.signIn)).toBeVisible();
  expect(await storedDrafts(page)).toEqual({ texts: 1, images: 1 });

  // A browser that runs no script has the same cookies.
  const send = (path: string, form: Record<string, string>) =>
    context.request.post(path, { form, headers: { origin: journal.server.url }, maxRedirects: 0 });
  const signedIn = await send('/auth?return_to=/about-me', { email: author.email, password: PASSWORD });
  expect(signedIn.headers()['set-cookie']).toContain('fabrica_session=');
  await send('/auth/session', { intent: 'sign-out', return_to: '/about-me' });
  await visitor.open('/about-me');
  await expect.poll(() => storedDrafts(page)).toEqual(NOTHING);
  expect((await context.cookies()).filter(({ name }) => name.startsWith('fabrica_s'))).toEqual([]);
  expectConsoleErrors(consoleErrors, /401/);
});

test('a second tab asks before it takes a draft over, and neither tab overwrites the other', async ({
  page,
}) => {
  const { otherTab } = visitor.m.publish;
  const second = await openSecondTab(page);
  await expect(otherTabIn(second.page)).toBeVisible();
  await expect(titleIn(second.page)).toHaveCount(0);
  await expectAccessible(second.page);

  // A draft of its own, which a reload of the tab brings back.
  await buttonIn(second.page, otherTab.another).click();
  await expect(titleIn(second.page)).toHaveValue('');
  await second.fillPost('The lungs', CONTENT);
  await second.page.reload();
  await expect(titleIn(second.page)).toHaveValue('The lungs');
  await expect(titleIn(page)).toHaveValue(TITLE);

  // Once the second tab is closed, a third one takes the first draft, and the first tab says so.
  await second.page.close();
  const third = await openSecondTab(page);
  await buttonIn(third.page, otherTab.takeOver).click();
  await expect(titleIn(third.page)).toHaveValue(TITLE);
  await expect(third.page.getByAltText(visitor.m.publish.image.preview)).toBeVisible();
  await expect(otherTabIn(page)).toBeVisible();

  // The draft of the closed tab is still there.
  await buttonIn(page, otherTab.another).click();
  await expect(titleIn(page)).toHaveValue('The lungs');
});

test('Create Post leads to an empty form, which offers the drafts of this device and of others', async ({
  page,
  journal,
}) => {
  const { earlierDrafts, draftRestored } = visitor.m.publish;
  await expect(page.getByText(/^Saved \d/)).toBeVisible();
  await visitor.open('/gallery');
  await visitor.openCreatePost();
  await expect(visitor.postText).toBeVisible();
  await expect(titleIn(page)).toHaveValue('');
  const earlier = buttonIn(page, earlierDrafts.open(TITLE));
  await expect(earlier).toBeVisible();
  await expectAccessible(page);
  // A reload of the tab begins nothing else, and a word more takes the offer away.
  await page.reload();
  await expect(earlier).toBeVisible();
  await titleIn(page).fill('The lungs');
  await expect(earlier).toHaveCount(0);
  await titleIn(page).fill('');
  await earlier.click();
  await expect(titleIn(page)).toHaveValue(TITLE);
  await visitor.expectPostText(CONTENT);
  await expect(page.getByAltText(visitor.m.publish.image.preview)).toBeVisible();
  await expect(page.getByText(draftRestored)).toBeVisible();

  const id = await writeOnDesk(journal.server, author, { title: 'The skin', draft: true });
  await visitor.open('/gallery');
  await visitor.openCreatePost();
  await expect(page.getByRole('link', { name: earlierDrafts.all })).toBeVisible();
  await page.getByRole('link', { name: earlierDrafts.open('The skin') }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/posts/${id}`));
});

test('a draft that is being published is not taken over, and the next post in the other tab stays', async ({
  page,
  journal,
}) => {
  const { otherTab, failure, success } = visitor.m.publish;
  const second = await openSecondTab(page);
  const saved = await pauseRequests(page, CALLS.publish, 'POST');
  await visitor.publishButton.click();
  await saved.paused;
  // The publish goes on, and keeps its draft, while its author visits another page.
  await page.getByRole('link', { name: visitor.m.layout.about, exact: true }).first().click();
  await expect(page).toHaveURL(/\/about-me/);
  await buttonIn(second.page, otherTab.takeOver).click();
  await expect(second.page.getByText(failure.elsewhere)).toBeVisible();
  await buttonIn(second.page, otherTab.another).click();
  await second.fillPost('The lungs', CONTENT);
  saved.release();
  await expect(visitor.notice(success.title)).toBeVisible();
  await expect(titleIn(second.page)).toHaveValue('The lungs');
  await second.publishButton.click();
  await expect(second.notice(success.title)).toBeVisible();
  const posts = await rowsOf(journal.server, `journal_posts?user_id=eq.${author.id}&order=created_at`);
  expect(posts.map(({ title }) => title)).toEqual([TITLE, 'The lungs']);
  await expect.poll(() => storedDrafts(page)).toEqual(NOTHING);
});

for (const [step, call, words] of [
  ['before the post is sent', CALLS.translate, 'before'],
  ['while the post is sent', CALLS.publish, 'during'],
] as const) {
  test(`the browser asks before a publish is broken off ${step}, and the form then says so`, async ({
    page,
  }) => {
    const { publish } = visitor.m;
    const request = await pauseRequests(page, call, 'POST');
    await visitor.publishButton.click();
    await request.paused;
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload();
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.accept();
    await reloaded;
    await expect(page.getByRole('alert').filter({ hasText: publish.interrupted[words] })).toBeVisible();
    await expect(titleIn(page)).toHaveValue(TITLE);
    request.release();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await visitor.publishButton.click();
    await expect(visitor.notice(publish.success.title)).toBeVisible();
  });
}
