import { readFile } from 'node:fs/promises';
import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import type { RunningServer } from '@fabrica/test-peers/start-server.ts';
import type { Page } from '@playwright/test';
import { insights as deWords } from '../../../apps/journal/messages/de/insights.ts';
import { insights as words } from '../../../apps/journal/messages/en/insights.ts';
import { expect, expectAccessibleInBothThemes, expectNoSidewaysScroll, test } from '../journal.ts';
import { giveRole, setSession, signInOn, writeComment, writePost } from '../people.ts';
import { PASSWORD, Visitor } from '../steps.ts';
import { expectConsoleErrors } from '../traffic.ts';

const DAY_MS = 86_400_000;
/** User agents of browsers with a window, since headless ones are not counted. */
const BROWSERS = ['Chrome/141.0.0.0 Safari/537.36', 'Version/18.1 Safari/605.1.15'].map(
  (end) => `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) ${end}`,
);

/** Sends events of one reader as a browser does. */
async function log(server: RunningServer, events: Record<string, unknown>[], browser = 0): Promise<void> {
  const response = await fetch(`${server.url}/api/analytics/journal/log`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': BROWSERS[browser] ?? '' },
    body: JSON.stringify({ events }),
  });
  expect(response.status, 'the events are stored').toBe(200);
}

const view = (postId: string, over: Record<string, unknown> = {}) => ({
  type: 'pageview',
  pathname: `/post/${postId}`,
  language: 'de-CH',
  channel: 'Organic Search',
  referrer: 'https://www.google.com/search',
  ...over,
});

/** Returns a total at the top of the page by its heading. */
const total = (page: Page, name: string) =>
  page.locator('dl > div', { has: page.getByText(name, { exact: true }) }).locator('dd');

const dayBefore = (count: number) => new Date(Date.now() - count * DAY_MS).toISOString().slice(0, 10);

/** Reads the rows of a CSV without quoted cells. */
async function readCsv(path: string): Promise<{ mark: boolean; rows: string[][] }> {
  const text = await readFile(path, 'utf8');
  const lines = text.slice(1).split('\r\n');
  expect(lines.pop(), 'the last line ends too').toBe('');
  return { mark: text.startsWith('\uFEFF'), rows: lines.map((line) => line.split(',')) };
}

test('an author sees figures of their own posts alone', async ({ page, journal }) => {
  const { server } = journal;
  const { author: ada, visitor } = await signInOn(page, server);
  const ben = await signUp(server, 'Dr Ben Bell');
  const heart = await writePost(server, ada, { title_en: '=The heart' });
  const gone = await writePost(server, ada);
  const lung = await writePost(server, ben, { title_en: 'The lung' });
  await log(server, [view(heart), view(heart), { type: 'read.completed', pathname: `/post/${heart}` }]);
  await log(server, [view(heart, { language: 'fr', channel: 'Direct', referrer: '' }), view(gone)], 1);
  await log(server, [view(heart, { timestamp: new Date(Date.now() - DAY_MS).toISOString() }), view(lung)]);
  await writeComment(ben, heart, 'So it is.');
  expect((await ada.rest('DELETE', `journal_posts?id=eq.${gone}`)).ok).toBe(true);

  await visitor.open('/admin');
  await page.getByRole('link', { name: visitor.m.layout.insights, exact: true }).click();
  await expect(page).toHaveURL(/\/admin\/insights$/);
  await expect(total(page, words.counts.views).first()).toHaveText('5');
  await expect(total(page, words.counts.completedReads).first()).toHaveText('1');
  await expect(total(page, words.counts.comments).first()).toHaveText('1');
  await expect(total(page, words.counts.comments).nth(1)).toHaveText(words.change.none);

  await test.step('the label of the first day is not cut off', async () => {
    const tick = page.locator('.recharts-xAxis-tick-labels text').first();
    const overhang = await tick.evaluate(
      (text) => (text.closest('svg')?.getBoundingClientRect().left ?? 0) - text.getBoundingClientRect().left,
    );
    expect(overhang).toBeLessThanOrEqual(0);
  });

  await test.step('the table of a chart opens by keyboard', async () => {
    const { title } = words.figures.pages;
    const toggle = page.getByRole('button', { name: `${words.figures.showTable}: ${title}` });
    await toggle.focus();
    await page.keyboard.press('Enter');
    await expect(toggle).toHaveAttribute('aria-expanded', 'true');
    const table = page.getByRole('table', { name: title });
    await expect(table.getByRole('row')).toHaveText([
      /^Post or page/,
      /^=The heart431$/,
      /^Deleted post110$/,
    ]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('region', { name: title })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(table.getByRole('link', { name: '=The heart' })).toBeFocused();
    await expect(table.getByRole('link')).toHaveAttribute('href', `/post/${heart}`);
  });
  await expect(page.locator('figure svg.recharts-surface').first()).toBeVisible();
  await expectAccessibleInBothThemes(page);

  await test.step('the figures can be downloaded as CSV', async () => {
    const save = async (title: string) => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: `${words.figures.csv}: ${title}` }).click();
      const file = await download;
      return { name: file.suggestedFilename(), ...(await readCsv(await file.path())) };
    };
    const pages = await save(words.figures.pages.title);
    expect(pages.name).toMatch(/^fabrica-pages-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
    expect(pages.mark).toBe(true);
    expect(pages.rows).toEqual([
      ['Post or page', 'Path', 'Views', 'Readers', 'Completed reads'],
      ["'=The heart", `/post/${heart}`, '4', '3', '1'],
      ['Deleted post', `/post/${gone}`, '1', '1', '0'],
    ]);
    const days = await save(words.figures.reading.title);
    expect(days.rows).toHaveLength(31);
    expect(days.rows.reduce((sum, [, views]) => sum + (Number(views) || 0), 0)).toBe(5);
  });

  await test.step('the period is in the URL', async () => {
    await page.getByRole('link', { name: words.range.week }).click();
    await expect(page).toHaveURL(`/admin/insights?from=${dayBefore(6)}&to=${dayBefore(0)}`);
    await expect(page.getByLabel(words.range.from)).toHaveValue(dayBefore(6));
    await page.getByLabel(words.range.from).fill(dayBefore(9));
    await page.getByLabel(words.range.to).fill(dayBefore(8));
    await page.getByRole('button', { name: words.range.show, exact: true }).click();
    await expect(page).toHaveURL(`/admin/insights?from=${dayBefore(9)}&to=${dayBefore(8)}`);
    await expect(page.getByRole('heading', { name: words.empty.title })).toBeVisible();
    await page.reload();
    await expect(page.getByLabel(words.range.from)).toHaveValue(dayBefore(9));
    await page.goBack();
    await expect(page.getByLabel(words.range.from)).toHaveValue(dayBefore(6));
    await expect(total(page, words.counts.views).first()).toHaveText('5');
    await page.getByLabel(words.range.to).fill(dayBefore(20));
    await page.getByRole('button', { name: words.range.show, exact: true }).click();
    await expect(page.getByLabel(words.range.to)).toBeFocused();
    await expect(page.getByLabel(words.range.to)).toHaveAccessibleDescription(words.range.backwards);
    await expect(page.locator('dl')).toHaveCount(0);
  });

  await setSession(page, ben, server);
  await visitor.open('/admin/insights');
  await expect(total(page, words.counts.views).first()).toHaveText('1');
  await expect(total(page, words.counts.comments).first()).toHaveText('0');
});

test('an admin sees figures of the whole journal, in German and on a phone', async ({ page, journal }) => {
  const { server } = journal;
  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ colorScheme: 'dark' });
  const { author: admin, visitor } = await signInOn(page, server, { language: 'de' });
  const author = await signUp(server, 'Dr Rea Silver');
  await giveRole(server, admin, 'admin');
  const title = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
  const post = await writePost(server, author, { title_de: title });
  await log(server, [view(post)]);

  await visitor.open('/admin/insights');
  const { figures, scope, noPosts } = deWords;
  await expect(page.getByRole('link', { name: scope.all })).toHaveAttribute('aria-current', 'true');
  for (const { title: figure } of [figures.reading, figures.pages, figures.languages, figures.channels]) {
    await page.getByRole('button', { name: `${figures.showTable}: ${figure}` }).click();
  }
  await expect(page.getByRole('rowheader', { name: title })).toBeVisible();
  await expect(page.getByRole('rowheader', { name: 'Deutsch', exact: true })).toBeVisible();
  await expect(page.getByRole('rowheader', { name: 'Suchmaschinen' })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessibleInBothThemes(page);

  await page.getByRole('link', { name: scope.own }).click();
  await expect(page).toHaveURL(/scope=own/);
  await expect(page.getByRole('heading', { name: noPosts.title })).toBeVisible();
});

test('a visitor of the insights signs in and returns to the same days, with another try after a failure', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const author: Author = await signUp(journal.server, 'Dr Eva Stern');
  const visitor = new Visitor(page);
  await visitor.open(`/admin/insights?from=${dayBefore(3)}&to=${dayBefore(1)}`);
  await page.waitForURL(/\/auth\?/);
  await visitor.hydrated();
  const refuse = async () => page.route('**/api/analytics/*/insights?*', (route) => route.abort());
  await refuse();
  await page.getByLabel(visitor.m.signIn.email, { exact: true }).fill(author.email);
  await page.getByLabel(visitor.m.signIn.password, { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: visitor.m.signIn.signIn, exact: true }).click();
  await page.waitForURL(/\/admin\/insights/);
  await expect(page.getByLabel(words.range.from)).toHaveValue(dayBefore(3));
  await expect(page.getByText(words.failed)).toBeVisible();
  await page.unroute('**/api/analytics/*/insights?*');
  await page.getByRole('button', { name: visitor.m.layout.tryAgain }).click();
  await expect(page.getByRole('heading', { name: words.noPosts.title })).toBeVisible();
  await page.getByRole('link', { name: words.noPosts.create }).click();
  await expect(page).toHaveURL(/\/admin$/);
  // Chromium and the page report the failed calls.
  expectConsoleErrors(consoleErrors, /ERR_FAILED/, /NetworkError/);
});
