import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import type { Locator } from '@playwright/test';
import { expect, expectAccessible, test } from '../journal.ts';
import { emptyJournal, rowsOf, signInOn, writePost } from '../people.ts';
import { Visitor } from '../steps.ts';

/** An artwork at 4:5 with a caption, above a text of Markdown with headings. */
const POST = {
  title_en: 'The spleen',
  content_en: `It lies to the left.\n\n## Where it lies\n\n${'It filters the blood. '.repeat(400)}\n\n## What it does\n\nIt remembers.\n\n## When it is gone\n\nOne can live without it.`,
  content_format: 'markdown',
  image_width: 1280,
  image_height: 1600,
  cover: JSON.stringify({ caption: { en: 'A spleen, opened' }, credit: 'Ada Byron', licence: 'CC BY 4.0' }),
};

let author: Author;

test.beforeEach(async ({ journal }) => {
  await emptyJournal(journal.server);
  author = await signUp(journal.server, 'Dr Ada Byron');
});

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  if (!box) throw new Error('The part has no box.');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

for (const height of [800, 1_080]) {
  test(`a window of ${height} px shows title, plate and the first lines of the text, and the margin stays in sight`, async ({
    page,
    journal,
  }) => {
    await page.setViewportSize({ width: 1_280, height });
    const visitor = new Visitor(page);
    await visitor.open(`/post/${await writePost(journal.server, author, POST)}`);
    const plate = page.locator('article figure img').first();
    const text = page.locator('article .prose-text > .markdown-text > p').first();
    const byline = page.getByText('Dr Ada Byron').first();
    const contents = page.getByRole('navigation', { name: visitor.m.post.text.contents });
    const [title, picture, words, name] = [
      await boxOf(page.getByRole('heading', { level: 1 })),
      await boxOf(plate),
      await boxOf(text),
      await boxOf(byline),
    ];
    expect(title.bottom, 'the title is above the plate').toBeLessThanOrEqual(picture.y);
    expect(picture.width / picture.height).toBeCloseTo(16 / 10, 2);
    expect(picture.width, 'rem').toBeLessThanOrEqual(46 * 16);
    expect(words.y + 60, 'two lines are in the window').toBeLessThanOrEqual(height);
    expect(name.right, 'the people stand beside the plate').toBeLessThan(picture.x);
    const middles = [picture.x + picture.right, words.x + words.right].map((sum) => sum / 2);
    expect(Math.abs((middles[0] ?? 0) - (middles[1] ?? 0)), 'the text is below the middle').toBeLessThan(2);
    await expect(page.getByText('A spleen, opened · Ada Byron · CC BY 4.0')).toBeInViewport();
    await contents.getByRole('link', { name: 'What it does' }).click();
    await expect(page.getByRole('heading', { name: 'What it does' })).toBeInViewport();
    await expect(contents).toBeInViewport({ ratio: 1 });
    await expectAccessible(page);
  });
}

test('on a phone a post has its parts below each other', async ({ page, journal }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const visitor = new Visitor(page);
  await visitor.open(`/post/${await writePost(journal.server, author, POST)}`);
  const parts = [
    page.locator('article figure img').first(),
    page.getByText('A spleen, opened · Ada Byron'),
    page.getByRole('heading', { level: 1 }),
    page.getByText('Dr Ada Byron').first(),
    page.getByRole('navigation', { name: visitor.m.post.text.contents }),
    page.locator('article .prose-text > .markdown-text > p').first(),
  ];
  const tops = await Promise.all(parts.map(async (part) => (await boxOf(part)).y));
  expect(tops).toEqual([...tops].sort((one, other) => one - other));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test('a post leads on to three plates, newer ones only where there are some, and to its author’s other texts', async ({
  page,
  journal,
}) => {
  const other = await signUp(journal.server, 'Grace Hopper');
  const ids: string[] = [];
  for (const [day, writer] of [author, other, author, other, author].entries()) {
    const post = { title_en: `Folio ${day + 1}.`, created_at: Date.UTC(2026, 10, day + 1) };
    ids.push(await writePost(journal.server, writer, post));
  }
  const visitor = new Visitor(page);
  const { readOn } = visitor.m.post;
  const onward = page.getByRole('navigation', { name: readOn.title });
  const shown = async (post: number) => {
    await visitor.open(`/post/${ids[post]}`);
    return onward
      .getByRole('listitem')
      .evaluateAll((items) =>
        items.map((item) => [
          item.querySelector('h2')?.textContent,
          item.querySelector('.artwork-note > span')?.textContent,
        ]),
      );
  };
  expect(await shown(4)).toEqual([3, 2, 1].map((post) => [`Folio ${post + 1}.`, readOn.older]));
  const own = page.getByRole('region', { name: 'Dr Ada Byron' }).getByRole('link');
  await expect(own).toHaveText(['Folio 3.', 'Folio 1.']);
  expect(await shown(2)).toEqual([
    ['Folio 4.', readOn.newer],
    ['Folio 2.', readOn.older],
    ['Folio 1.', readOn.older],
  ]);
  expect(await shown(0)).toEqual([1, 2, 3].map((post) => [`Folio ${post + 1}.`, readOn.newer]));
  await onward.getByRole('link', { name: 'Folio 2.' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Folio 2.');
});

test('an author’s sentence stands below their posts, in each language as it is written there', async ({
  page,
  journal,
}) => {
  const { author: writer, visitor } = await signInOn(page, journal.server);
  const id = await writePost(journal.server, writer);
  const write = async (in_: Visitor, sentence: string) => {
    await in_.open('/account');
    const texts = in_.m.account;
    const section = page.getByRole('region', { name: texts.introduction.title });
    await section.getByLabel(texts.introduction.sentence).fill(sentence);
    await section.getByRole('button', { name: texts.profile.save }).click();
    await expect(section.getByText(texts.profile.saved, { exact: true })).toBeVisible();
  };
  const shown = page.locator('section[aria-labelledby=author] p[lang]');
  await write(visitor, '  Draws what she hears. ');
  await visitor.open(`/post/${id}`);
  await expect(shown).toHaveText('Draws what she hears.');
  const german = new Visitor(page, 'de');
  await german.open(`/post/${id}`);
  await expect(shown).toHaveAttribute('lang', 'en');
  await write(german, 'Zeichnet, was sie hört.');
  await german.open(`/post/${id}`);
  await expect(shown).toHaveText('Zeichnet, was sie hört.');
  await write(german, '');
  await german.open(`/post/${id}`);
  await expect(shown).toHaveText('Draws what she hears.');
  const stranger = await signUp(journal.server);
  const [row] = await rowsOf(journal.server, `introductions?user_id=eq.${writer.id}`);
  const forged = { sentence: 'Not hers.' };
  expect((await stranger.rest('PATCH', `introductions?id=eq.${row?.id}`, forged)).status).toBe(403);
  expect(await rowsOf(journal.server, `introductions?user_id=eq.${writer.id}`)).toEqual([row]);
});
