import { readFileSync } from 'node:fs';
import { type Author, signUp, uploadFile } from '@fabrica/test-peers/author.ts';
import type { RunningServer } from '@fabrica/test-peers/start-server.ts';
import type { Page } from '@playwright/test';
import { markOf, type Shape, withNote } from '../../../apps/journal/project/marks.ts';
import { expect, expectAccessibleInBothThemes, test } from '../journal.ts';
import { writePost } from '../people.ts';
import { FULL_ARTWORK, Visitor } from '../steps.ts';

const SHAPES: Shape[] = [
  { kind: 'box', x: 10, y: 8, width: 20, height: 14 },
  { kind: 'point', x: 82, y: 50 },
  {
    kind: 'outline',
    points: [
      [40, 70],
      [60, 72],
      [55, 90],
      [38, 88],
    ],
  },
];
const NOTES = [
  { en: 'The aorta', de: 'Die Aorta', es: 'La aorta', fr: 'L’aorte' },
  { en: 'A vein that brings blood back', de: 'Eine Vene', es: 'Una vena', fr: 'Une veine' },
];
const filler = 'It beats a hundred thousand times a day. '.repeat(30);

/** A text with two passages: `b` has no passage, and `c` has no note. */
const POST = {
  title_en: 'The crown around the heart',
  content_en: `It begins at :mark[the great vessel]{#a}.\n\n${filler}\n\n${filler}\n\nIt ends at :mark[the tip of the heart]{#c}.\n\n${filler}`,
  ...Object.fromEntries(
    ['de', 'es', 'fr'].flatMap((language) => [
      [`title_${language}`, 'Cor'],
      [`content_${language}`, 'Cor :mark[vas magnum]{#a} et :mark[apex]{#c}.'],
    ]),
  ),
  content_format: 'markdown',
  image_width: 1280,
  image_height: 1600,
  cover: JSON.stringify({
    alt: { en: 'A heart' },
    description: { en: 'A heart fills the plate.\n\nAbove it stands the aorta.' },
    marks: SHAPES.map((shape, index) =>
      Object.entries(NOTES[index] ?? {}).reduce(
        (mark, [language, note]) => withNote(mark, language as 'en', note),
        markOf('abc'.charAt(index), shape),
      ),
    ),
  }),
};

let author: Author;
let postId: string;

async function publish(server: RunningServer): Promise<string> {
  const path = `posts/${Date.now()}.webp`;
  const image = await uploadFile(server, author.token, { path, bytes: readFileSync(FULL_ARTWORK) });
  return writePost(server, author, { ...image, ...POST });
}

test.beforeAll(async ({ journal }) => {
  author = await signUp(journal.server, 'Dr Ada Byron');
  postId = await publish(journal.server);
});

const viewer = (page: Page) => page.getByRole('dialog', { name: POST.title_en });
const letter = (page: Page, name: string) => page.locator(`.passage-letter[href="#mark-${name}"]`);
const heroMark = (page: Page, name: string) => page.locator(`.hero-marks a[data-mark=${name}]`);

async function open(page: Page, language: Visitor['language'] = 'en'): Promise<Visitor> {
  const visitor = new Visitor(page, language);
  await visitor.open(`/post/${postId}`);
  // The code of marks is there once the legend answers.
  await expect
    .poll(() =>
      page
        .getByRole('button', { pressed: false })
        .and(page.locator('.pin-button'))
        .evaluate((button) => Object.keys(button).some((key) => key.startsWith('__reactProps'))),
    )
    .toBe(true);
  return visitor;
}

/** Returns how far the middle of a mark is from the middle of the viewer's stage, in shares of the stage. */
const offMiddle = (page: Page, name: string) =>
  viewer(page).evaluate((dialog, mark) => {
    const stage = dialog.querySelector('.artwork-stage')?.getBoundingClientRect();
    const box = dialog.querySelector(`g[data-mark=${mark}]`)?.getBoundingClientRect();
    if (!stage || !box) return 1;
    const across = box.left + box.width / 2 - (stage.left + stage.width / 2);
    const down = box.top + box.height / 2 - (stage.top + stage.height / 2);
    return Math.hypot(across / stage.width, down / stage.height);
  }, name);

test('a letter of the text opens the viewer at its mark, keys lead on, and closing leads back to the words', async ({
  page,
}) => {
  await open(page);
  await letter(page, 'a').click();
  await expect(viewer(page)).toBeVisible();
  await expect(viewer(page).getByText('The aorta', { exact: true })).toBeVisible();
  await expect(viewer(page).locator('g[data-mark=a]')).toHaveAttribute('data-lit');
  await expect(viewer(page).getByRole('status')).not.toHaveText('100%');
  await expectAccessibleInBothThemes(page);
  await page.keyboard.press('n');
  await expect(viewer(page).getByText('A vein that brings blood back', { exact: true })).toBeVisible();
  await page.keyboard.press('n');
  await expect(viewer(page).getByText('the tip of the heart', { exact: true })).toBeVisible();
  await expect.poll(() => offMiddle(page, 'c')).toBeLessThan(0.3);
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
  await expect(letter(page, 'c')).toBeFocused();
  await expect(letter(page, 'c')).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(viewer(page).getByText('the tip of the heart', { exact: true })).toBeVisible();
  await page.keyboard.press('p');
  await page.keyboard.press('p');
  await expect(viewer(page).getByText('The aorta', { exact: true })).toBeVisible();
  await page.goBack();
  await expect(letter(page, 'a')).toBeFocused();
});

test('a letter on the plate leads to its passage or its note, and both light up under the pointer', async ({
  page,
}) => {
  await open(page);
  await letter(page, 'a').hover();
  await expect(page.locator('.hero-marks g[data-mark=a]')).toHaveAttribute('data-lit');
  await heroMark(page, 'c').hover();
  await expect(page.locator('#passage-c')).toHaveAttribute('data-lit');
  await expect(page.locator('#passage-a')).not.toHaveAttribute('data-lit');
  await heroMark(page, 'c').click();
  await expect(letter(page, 'c')).toBeFocused();
  await expect(letter(page, 'c')).toBeInViewport();
  await heroMark(page, 'b').press('Enter');
  await expect(page.locator('#mark-b')).toBeFocused();
  await expect(page.locator('#mark-b')).toBeInViewport();
});

test('each mark is named by letter, words, place and number in four languages', async ({ page }) => {
  const names = {
    en: ['Mark a: The aorta, upper left, 1 of 3', 'Mark b: A vein that brings blood back, right, 2 of 3'],
    de: ['Marke a: Die Aorta, oben links, 1 von 3', 'Marke b: Eine Vene, rechts, 2 von 3'],
    es: ['Marca a: La aorta, arriba a la izquierda, 1 de 3', 'Marca b: Una vena, a la derecha, 2 de 3'],
    fr: ['Repère a : L’aorte, en haut à gauche, 1 sur 3', 'Repère b : Une veine, à droite, 2 sur 3'],
  };
  for (const [language, [first = '', second = '']] of Object.entries(names)) {
    await open(page, language as Visitor['language']);
    await expect(heroMark(page, 'a')).toHaveAccessibleName(first);
    await expect(heroMark(page, 'b')).toHaveAccessibleName(second);
    await expectAccessibleInBothThemes(page);
  }
  const size = await heroMark(page, 'a').boundingBox();
  expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBeGreaterThanOrEqual(24);
});

test('without JavaScript letters lead to their notes and back, and the description opens', async ({
  browser,
  journal,
}) => {
  const context = await browser.newContext({ baseURL: journal.server.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`/post/${postId}`);
  await letter(page, 'a').click();
  await expect(page.locator('#mark-a')).toBeInViewport();
  await expect(page.locator('#mark-a:target')).toHaveCount(1);
  await page.locator('#mark-c a').click();
  await expect(page.locator('#passage-c')).toBeInViewport();
  await heroMark(page, 'a').click();
  await expect(page).toHaveURL(/#passage-a$/);
  await page.getByText('Description of the plate').click();
  await expect(page.getByText('Above it stands the aorta.')).toBeVisible();
  await expect(page.locator('article > figure')).toHaveAttribute('aria-details', 'artwork-description');
  await expect(page.locator('.pin-button')).toBeHidden();
  await context.close();
});

test('on paper the plate has its letters, and the legend stands below it', async ({ page }) => {
  await open(page);
  await page.setViewportSize({ width: 680, height: 960 });
  await page.emulateMedia({ media: 'print' });
  const [image, marks, legend] = await Promise.all(
    ['article > figure img', '.hero-marks', '.plate-legend ol'].map((part) =>
      page.locator(part).first().boundingBox(),
    ),
  );
  expect(marks?.width).toBeCloseTo(image?.width ?? 0, 0);
  expect(marks?.height).toBeCloseTo(image?.height ?? 0, 0);
  expect(marks?.x).toBeCloseTo(image?.x ?? 0, 0);
  expect(legend?.y).toBeGreaterThan((image?.y ?? 0) + (image?.height ?? 0));
  expect(legend?.y).toBeLessThan((await page.locator('.prose-text').boundingBox())?.y ?? 0);
});

test('a pinned plate stays beside the text and moves to the mark that is read about', async ({ page }) => {
  await open(page);
  const plate = page.getByRole('complementary', { name: 'The plate with its marks' });
  await page.locator('.pin-button').click();
  await expect(plate).toBeInViewport({ ratio: 1 });
  await letter(page, 'a').evaluate((one) => one.scrollIntoView({ block: 'center' }));
  await expect(plate.locator('g[data-mark=a]')).toHaveAttribute('data-lit');
  await letter(page, 'c').evaluate((one) => one.scrollIntoView({ block: 'center' }));
  await expect(plate.locator('g[data-mark=c]')).toHaveAttribute('data-lit');
  await expect(plate).toBeInViewport({ ratio: 1 });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const scale = () => plate.locator('.pinned-artwork').evaluate((one) => Number(getComputedStyle(one).scale));
  await expect.poll(scale).toBeGreaterThan(1.5);
  await expectAccessibleInBothThemes(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(plate.locator('.pinned-artwork')).toHaveCSS('scale', 'none');
  await plate.getByRole('button', { name: 'Put the plate away' }).click();
  await expect(plate).toBeHidden();
});

test('on a phone the plate stands in its own ratio below the title, and can be pinned above the text', async ({
  browser,
  journal,
}) => {
  const context = await browser.newContext({
    baseURL: journal.server.url,
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
  });
  const page = await context.newPage();
  await open(page);
  const plate = page.locator('.own-plate');
  const box = await plate.boundingBox();
  expect([box?.x, box?.width]).toEqual([0, 360]);
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4 / 5, 2);
  await expect(heroMark(page, 'a')).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await plate.locator('a[data-mark=c]').tap();
  await expect(letter(page, 'c')).toBeFocused();
  await expect(letter(page, 'c')).toBeInViewport();
  await letter(page, 'c').tap();
  await expect(viewer(page)).toBeVisible();
  await expect.poll(() => offMiddle(page, 'c')).toBeLessThan(0.3);
  await viewer(page).getByRole('button', { name: 'Back to the text' }).tap();
  await expect(letter(page, 'c')).toBeFocused();
  await page.locator('.pin-button').tap();
  const pinned = page.getByRole('complementary', { name: 'The plate with its marks' });
  const pinnedBox = await pinned.boundingBox();
  expect((pinnedBox?.y ?? 0) + (pinnedBox?.height ?? 0)).toBeLessThanOrEqual(740 / 2);
  await expectAccessibleInBothThemes(page);
  await pinned.getByRole('button', { name: 'Put the plate away' }).tap();
  await expect(pinned).toBeHidden();
  await context.close();
});

test('the marks are Web Annotations in all languages, and a list in the feed', async ({ page, journal }) => {
  const { url } = journal.server;
  const path = `/post/${postId}/annotations.json`;
  await page.goto(`/post/${postId}`);
  await expect(page.locator('link[rel=alternate][type*=ld]')).toHaveAttribute('href', `${url}${path}`);
  const response = await page.request.get(path);
  expect(response.headers()['content-type']).toContain('http://www.w3.org/ns/anno.jsonld');
  expect(response.headers().etag).toBeTruthy();
  const { items } = await response.json();
  expect(items.map(({ id }: { id: string }) => id)).toEqual(
    ['a', 'b', 'c'].map((one) => `${url}${path}#${one}`),
  );
  expect(items[0].body).toHaveLength(4);
  expect(items[0].target.source).toMatch(/^http/);
  const plain = await writePost(journal.server, author);
  expect((await page.request.get(`/post/${plain}/annotations.json`)).status()).toBe(404);
  expect((await page.request.get('/post/none/annotations.json')).status()).toBe(404);
  const feed = await (await page.request.get('/feed.xml?lang=en')).text();
  expect(feed).toContain('&lt;/a&gt; A vein that brings blood back&lt;/li&gt;');
});

test('a post without marks loads nothing for them', async ({ page, journal }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await new Visitor(page).open(`/post/${await writePost(journal.server, author)}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(loaded.filter((url) => /marks/.test(url))).toEqual([]);
});

test('a further picture has its own marks, and its letters lead into the viewer and back', async ({
  page,
  journal,
}) => {
  const path = `posts/${Date.now()}-2.webp`;
  const second = await uploadFile(journal.server, author.token, { path, bytes: readFileSync(FULL_ARTWORK) });
  const mark = withNote(markOf('k', { kind: 'box', x: 60, y: 60, width: 10, height: 10 }), 'en', 'A valve');
  const described = {
    ...{ url: second.image_url, width: 1280, height: 1600, placeholder: null, focal: null },
    ...{ alt: { en: 'A chamber' }, caption: {}, credit: '', licence: '' },
    ...{ description: { en: 'The chamber is cut open.' }, marks: [mark] },
  };
  const image = await uploadFile(journal.server, author.token, {
    path: `posts/${Date.now()}-1.webp`,
    bytes: readFileSync(FULL_ARTWORK),
  });
  const id = await writePost(journal.server, author, {
    ...image,
    ...POST,
    content_en: `It shuts at :mark[the valve]{#k}.\n\n${filler}\n\nIt begins at :mark[the great vessel]{#a}.`,
    pictures: JSON.stringify([described]),
  });
  const visitor = new Visitor(page);
  await visitor.open(`/post/${id}`);
  const figure = page.getByRole('region', { name: visitor.m.post.viewer.more });
  await expect(
    figure.getByRole('link', { name: /^Mark k: A valve, lower middle|^Mark k: A valve/ }),
  ).toBeVisible();
  await expect(figure.getByText('A valve', { exact: true })).toBeVisible();
  await figure.getByText('Description of the plate').click();
  await expect(figure.getByText('The chamber is cut open.')).toBeVisible();
  await expectAccessibleInBothThemes(page);

  await letter(page, 'k').click();
  await expect(viewer(page).getByRole('img', { name: 'A chamber' })).toBeVisible();
  await expect(viewer(page).locator('.mark-caption').getByText('A valve', { exact: true })).toBeVisible();
  // The first picture has other marks, and the one behind them is reached from it again.
  await page.keyboard.press('PageUp');
  await expect(viewer(page).getByRole('img', { name: 'A heart' })).toBeVisible();
  await page.keyboard.press('n');
  await expect(viewer(page).locator('.mark-caption').getByText('The aorta', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(letter(page, 'a')).toBeFocused();
});
