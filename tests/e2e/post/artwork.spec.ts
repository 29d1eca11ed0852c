import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import { expect, test } from '../journal.ts';
import { emptyJournal, writePost } from '../people.ts';
import { Visitor } from '../steps.ts';
import { expectConsoleErrors } from '../traffic.ts';

let author: Author;

test.beforeEach(async ({ journal }) => {
  author = await signUp(journal.server, 'Dr Ada Byron');
});

test('a drawing on a transparent ground lies on paper in both themes', async ({ page, journal }) => {
  const id = await writePost(journal.server, author);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [path, image] of [
      ['/gallery', page.locator(`a[href="/post/${id}"] img`)],
      [`/post/${id}`, page.locator('figure img').first()],
      [`/post/${id}#artwork`, page.locator('dialog img')],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(path);
      await expect(image).toBeVisible();
      const ground = await image.evaluate((element) => getComputedStyle(element).backgroundColor);
      const channels = ground.match(/\d+/g)?.slice(0, 3).map(Number) ?? [];
      expect(Math.min(...channels), `${path} in ${colorScheme}: ${ground}`).toBeGreaterThan(180);
    }
  }
});

test('an artwork that cannot be loaded is replaced by its alternative text', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const image = {
    image_url: '/storage/journal/posts/none.webp?v=ab12cd34',
    image_width: 1280,
    image_height: 1600,
  };
  const id = await writePost(journal.server, author, { ...image, title_en: 'The spleen' });
  const { m } = new Visitor(page);
  await page.goto(`/post/${id}`);
  const stand = page.getByRole('img', { name: m.post.illustrationOf('The spleen') });
  await expect(stand).toContainText(m.layout.brokenImage);
  await expect(stand).toContainText('The spleen');
  await expect(page.locator('figure img')).toHaveCount(0);
  const box = await stand.boundingBox();
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(16 / 10, 2);
  await page.goto('/gallery');
  await expect(page.locator(`a[href="/post/${id}"]`)).toContainText(m.layout.brokenImage);
  expectConsoleErrors(consoleErrors, /status of 404/);
  // Other posts would lead on to it.
  await emptyJournal(journal.server);
});

test('a post is printed black on white with its whole artwork and its URL, and nothing to press', async ({
  page,
  journal,
}) => {
  const id = await writePost(journal.server, author, {
    title_de: 'Die Milz',
    image_width: 1280,
    image_height: 1600,
  });
  const visitor = new Visitor(page, 'de');
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, media: 'screen' });
    await visitor.open(`/post/${id}`);
    await page.emulateMedia({ colorScheme, media: 'print' });
    const title = page.getByRole('heading', { level: 1, name: 'Die Milz' });
    await expect(title).toHaveCSS('color', 'rgb(0, 0, 0)');
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    for (const shown of ['Dr Ada Byron', 'de: Light comes in.', `${journal.server.url}/post/${id}?lang=de`]) {
      await expect(page.locator('article').getByText(shown)).toBeVisible();
    }
    await expect(page.locator('article time')).toBeVisible();
    const box = await page.locator('figure img').boundingBox();
    expect((box?.width ?? 0) / (box?.height ?? 1), 'the ratio of the artwork').toBeCloseTo(4 / 5, 2);
    await expect(page.locator('header, footer, nav, button').filter({ visible: true })).toHaveCount(1);
    await expect(page.locator('article header')).toBeVisible();
    // The artwork is a link on the screen, and no words of it are printed.
    await expect(page.locator('a:not(:has(img))').filter({ visible: true })).toHaveCount(0);
    await expect(page.locator('figure a')).toHaveText('', { useInnerText: true });
  }
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
});
