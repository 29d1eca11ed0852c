import type { Author } from '@fabrica/test-peers/author.ts';
import { expect, expectAccessible, test } from '../journal.ts';
import { noisePng } from '../noise-png.ts';
import { rowsOf, writePost } from '../people.ts';
import { catalogues, file, type Visitor } from '../steps.ts';
import { expectConsoleErrors, failRequests, pauseRequests, recordRequests } from '../traffic.ts';
import { AUTH_CALLS, openAccount, profileParts } from './account-page.ts';

let author: Author;
let visitor: Visitor;

test('a new name is saved, confirmed, and shown beside the next comment', async ({ page, journal }) => {
  ({ author, visitor } = await openAccount(page, journal.server));
  const { name, save, saved } = profileParts(visitor);
  await expect(name).toHaveValue('Dr Ada Byron');
  await name.fill('A'.repeat(101));
  await save.click();
  await expect(name).toHaveAccessibleDescription(new RegExp(visitor.m.layout.limit.over('1', '100', 1)));
  await expect(saved).toHaveCount(0);
  await name.fill('  Ada Lovelace ');
  await save.click();
  await expect(saved).toBeVisible();
  await expect(name).toHaveValue('Ada Lovelace');
  await page.reload();
  await expect(name).toHaveValue('Ada Lovelace');

  const postId = await writePost(journal.server, author);
  await visitor.open(`/post/${postId}`);
  await page.getByRole('button', { name: visitor.m.post.comments.count(0) }).click();
  await page.getByLabel(visitor.m.post.comments.label).fill('A heart.');
  await page.getByRole('button', { name: visitor.m.post.comments.submit }).click();
  await expect(page.locator('#comments li')).toContainText('Ada Lovelace');

  await visitor.open('/account');
  await name.fill(' ');
  await save.click();
  await expect(saved).toBeVisible();
  expect(await rowsOf(journal.server, `profiles?id=eq.${author.id}`)).toMatchObject([{ display_name: null }]);
});

test('the first comment asks for a name, and no e-mail address is accepted or shown', async ({
  page,
  journal,
}) => {
  ({ author, visitor } = await openAccount(page, journal.server));
  const { save } = profileParts(visitor);
  const name = page.locator('#profile input[name=name]');
  await name.fill(author.email);
  await save.click();
  await expect(name).toHaveAccessibleDescription(visitor.m.post.comments.nameIsEmail);
  await page.getByLabel(/^Language/).click();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(name).toHaveAccessibleDescription(catalogues.de.post.comments.nameIsEmail);
  await name.fill('');
  await page.locator('#profile button[type=submit]').click();
  await expect(page.getByText(catalogues.de.account.profile.saved, { exact: true })).toBeVisible();

  const postId = await writePost(journal.server, author);
  await visitor.open(`/post/${postId}`);
  const { comments } = visitor.m.post;
  await page.getByRole('button', { name: comments.count(0) }).click();
  const comment = async (text: string, typedName: string) => {
    await page.getByLabel(comments.label).fill(text);
    await page.getByLabel(comments.name).fill(typedName);
    await page.getByRole('button', { name: comments.submit }).click();
  };
  const item = (text: string) => page.locator('#comments li').filter({ hasText: text });
  await comment('Without a name.', '');
  await expect(item('Without a name.')).toContainText(comments.anonymous);
  await comment('With a name.', author.email);
  await expect(page.getByLabel(comments.name)).toHaveAccessibleDescription(
    visitor.m.post.comments.nameIsEmail,
  );
  await expect(page.getByLabel(comments.name)).toBeFocused();
  await comment('With a name.', 'Ana P.');
  await expect(item('With a name.')).toContainText('Ana P.');
  await expect(page.getByLabel(comments.name)).toHaveCount(0);
  const names = await rowsOf(journal.server, `post_comments?post_id=eq.${postId}&order=created_at`);
  expect(names).toMatchObject([{ user_name: 'Anonymous' }, { user_name: 'Ana P.' }]);
});

test('a photo is previewed, saved, replaced and removed, and replaced files are deleted', async ({
  page,
  journal,
}) => {
  ({ author, visitor } = await openAccount(page, journal.server));
  const { profile: texts } = visitor.m.account;
  const { photo, image, remove, save, saved } = profileParts(visitor);
  const shown = async () => {
    const [row] = await rowsOf(journal.server, `profiles?id=eq.${author.id}`);
    // The path alone is stored, since a journal may change its domain.
    expect(row?.photo_url ?? '/').toMatch(/^\//);
    return row?.photo_url ? `${journal.server.url}${row.photo_url}` : null;
  };
  const writes = recordRequests(page, (request) => !['GET', 'HEAD'].includes(request.method()));
  await expect(image).toHaveCount(0);
  await expect(remove).toHaveCount(0);
  await photo.setInputFiles(file('me.png', 'image/png', noisePng(40, 40)));
  await expect(image).toHaveAccessibleName(texts.photoPreview);
  expect(writes).toEqual([]);

  await save.click();
  await expect(saved).toBeVisible();
  await expect(image).toHaveAccessibleName(texts.yourPhoto);
  const first = (await shown()) ?? '';
  expect(new URL(first).pathname).toMatch(new RegExp(`/avatars/${author.id}-\\d+\\.png$`));
  expect((await fetch(first)).status).toBe(200);
  await page.reload();
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(40);

  await photo.setInputFiles(file('again.png', 'image/png', noisePng(50, 50)));
  // Nothing is sent while the file is still being checked.
  await expect(image).toHaveAccessibleName(texts.photoPreview);
  await expect(saved).toHaveCount(0);
  await save.click();
  await expect(saved).toBeVisible();
  const second = (await shown()) ?? '';
  expect(second).not.toBe(first);
  expect((await fetch(second)).status).toBe(200);
  await expect.poll(async () => (await fetch(first)).status).toBe(404);

  await remove.click();
  await expect(image).toHaveCount(0);
  await expect(photo).toBeFocused();
  expect((await fetch(second)).status).toBe(200);
  await save.click();
  await expect(saved).toBeVisible();
  expect(await shown()).toBeNull();
  await expect.poll(async () => (await fetch(second)).status).toBe(404);
});

test('a file that is no photo is refused, and a profile that could not be saved keeps its values, to be saved once', async ({
  page,
  journal,
  consoleErrors,
}) => {
  ({ author, visitor } = await openAccount(page, journal.server));
  const { publish, account, signIn } = visitor.m;
  const { form, name, photo, image, save, saved } = profileParts(visitor);
  const writes = recordRequests(page, (request) => request.method() !== 'GET');
  const large = noisePng(1_500, 1_500);
  expect(large.length).toBeGreaterThan(5 * 1024 * 1024);
  for (const [chosen, words] of [
    [file('notes.txt', 'text/plain', Buffer.from('no image')), publish.image.notAnImage],
    [file('torn.png', 'image/png', noisePng(20, 20).subarray(0, 200)), publish.image.unreadable],
    [file('large.png', 'image/png', large), account.profile.photoTooLarge],
  ] as const) {
    await photo.setInputFiles({ ...chosen });
    await expect(photo).toHaveAccessibleDescription(words);
    await expect(image).toHaveCount(0);
  }
  await expectAccessible(page);
  expect(writes).toEqual([]);

  const uploads = recordRequests(page, (request) => request.url().endsWith('/upload'));
  await name.fill('Ada Lovelace');
  await photo.setInputFiles(file('me.png', 'image/png', noisePng(40, 40)));
  await expect(image).toBeVisible();
  const restore = await failRequests(page, AUTH_CALLS.me, 'PATCH');
  await save.click();
  await expect(form.getByRole('alert')).toHaveText(signIn.errors.NETWORK_ERROR);
  await expect(name).toHaveValue('Ada Lovelace');
  await expect(image).toBeVisible();
  await restore();

  const saving = await pauseRequests(page, AUTH_CALLS.me, 'PATCH');
  const changes = recordRequests(page, (request) => request.method() === 'PATCH');
  await save.evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await saving.paused;
  await expect(save).toHaveText(account.profile.saving);
  await expect(save).toBeDisabled();
  saving.release();
  await expect(saved).toBeVisible();
  expect([uploads.length, changes.length]).toEqual([1, 1]);
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
});
