import { setTimeout as wait } from 'node:timers/promises';
import type { SignInResponse } from '@fabrica/contract';
import { type Author, secretKeyOf, signIn, signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { atMost, type Figures } from '../figures.ts';
import { median } from '../load.ts';
import { fillPosts } from '../posts.ts';
import { type ControlledPage, controlledPages, type Places } from './controls.ts';
import { type PageVitals, type Phone, startPhone, type Visit } from './phone.ts';

const ROUNDS = 5;
const COMMENTS = 300;
/** Milliseconds after which a page is at rest. */
const REST_MS = 1_500;
/** Milliseconds after which a page that has scrolled is at rest. */
const SETTLE_MS = 500;
const KILOBYTES: Readonly<Record<string, number>> = { gallery: 300, post: 280 };

/** Measures what a reader with a slow phone on slow 4G waits for: paints, presses, shifts, bytes and the way back. */
export async function benchVitals(figures: Figures): Promise<void> {
  const server = await startServer({ RATE_LIMIT: 'off' });
  const phone = await startPhone();
  try {
    const { places, author } = await furnish(server);
    for (const page of controlledPages(places)) {
      const url = `${server.url}${page.path}`;
      // Tokens age during a run, and each visit begins with the same ones.
      const options = page.signedIn ? await openBrowser(server, author) : undefined;
      if (!page.signedIn) await benchLoad(figures, { phone, page, url });
      await benchControls(figures, { page, open: () => phone.visit(url, options) });
    }
  } finally {
    await phone.close();
    await server.close();
  }
}

/** Fills the journal with posts, of which one has comments, and returns the paths and its author. */
async function furnish(server: RunningServer): Promise<{ places: Places; author: Author }> {
  const author = await signUp(server);
  const [newest] = (await (
    await author.rest('GET', 'journal_posts?order=created_at.desc&limit=1')
  ).json()) as [{ id: string; image_url: string }];
  await fillPosts(server, 40, { image_url: newest.image_url });
  await service(server, 'PATCH', `journal_posts?id=eq.${newest.id}`, { user_id: author.id });
  const comments = Array.from({ length: COMMENTS }, (_, index) => ({
    id: `comment_${index}`,
    post_id: newest.id,
    user_id: author.id,
    user_name: author.session.user.displayName,
    content: 'The vessels of the crown are shown as they are, and the text says what they do. '.repeat(2),
  }));
  await service(server, 'POST', 'post_comments', comments);
  return { places: { post: `/post/${newest.id}` }, author };
}

/** Returns what the browser of a person who has just signed in keeps. */
async function openBrowser(
  server: RunningServer,
  { email }: Author,
): Promise<{ origin: string; tokens: string }> {
  const response = await signIn(server, email);
  if (!response.ok) throw new Error(`The sign-in failed: ${response.status} ${await response.text()}`);
  const session: SignInResponse = await response.json();
  const tokens = JSON.stringify({ ...session, issued_at: Math.floor(Date.now() / 1_000) });
  return { origin: server.url, tokens };
}

async function service(server: RunningServer, method: string, target: string, body: unknown): Promise<void> {
  const response = await fetch(`${server.url}/api/db/journal/rest/v1/${target}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await secretKeyOf(server)}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${target}: ${response.status} ${await response.text()}`);
}

interface Load {
  phone: Phone;
  page: ControlledPage;
  url: string;
}

/** Measures first visits. */
async function benchLoad(figures: Figures, { phone, page: { name }, url }: Load): Promise<void> {
  const visits: (PageVitals & { bytes: number; menu: MenuDelay })[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const visit = await phone.visit(url);
    await visit.page.waitForLoadState('networkidle');
    await wait(REST_MS);
    const bytes = await bytesOfFirstScreen(visit);
    const button = await centreOf(visit, 'header button[popovertarget]');
    const vitals = await visit.read();
    if (round === 0 && phone.keepsPages)
      figures.note(`phone: ${name}, comes back from the cache`, await comesBack(visit), {
        value: 1,
        better: 'atLeast',
        unit: '',
      });
    await visit.close();
    // A second page in the foreground would take its part of the processor.
    visits.push({ ...vitals, bytes, menu: await menuDelay(phone, url, button) });
  }
  const of = (pick: (visit: (typeof visits)[number]) => number) => median(visits.map(pick));
  const painted = ` (first paint ${of(({ firstPaint }) => firstPaint / 1_000).toFixed(2)} s)`;
  figures.note(
    `phone: ${name}, LCP`,
    of(({ largestPaint }) => largestPaint / 1_000),
    atMost(1.5, 's'),
    painted,
  );
  figures.note(
    `phone: ${name}, CLS`,
    of(({ layoutShift }) => layoutShift),
    atMost(0.02, ''),
  );
  const sincePaint = ` (${of(({ menu }) => menu.sincePaint).toFixed(0)} ms after the first paint)`;
  figures.note(
    `phone: ${name}, menu opens after a press at the first paint`,
    of(({ menu }) => menu.sincePress),
    atMost(250, 'ms'),
    sincePaint,
  );
  const kilobytes = of(({ bytes }) => bytes / 1_000);
  const limit = KILOBYTES[name];
  const what = `phone: ${name}, transferred without pictures below the first screen`;
  if (limit) figures.note(what, kilobytes, atMost(limit, 'kB'));
  else figures.inform(what, `${kilobytes.toFixed(0)} kB`);
}

/** Returns the transferred bytes without those of pictures that nobody sees before scrolling. */
async function bytesOfFirstScreen({ page, transferred }: Visit): Promise<number> {
  const below = await page.evaluate(() => {
    const shown = [...document.images].filter((image) => {
      return image.getBoundingClientRect().top < window.innerHeight;
    });
    const urls = new Set(shown.map((image) => image.currentSrc));
    return [...document.images].map((image) => image.currentSrc).filter((url) => !urls.has(url));
  });
  return [...transferred].reduce((sum, [url, bytes]) => sum + (below.includes(url) ? 0 : bytes), 0);
}

interface Point {
  x: number;
  y: number;
}

async function centreOf({ page }: Visit, selector: string): Promise<Point> {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} is not visible.`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The milliseconds until the header's menu is open. */
interface MenuDelay {
  sincePress: number;
  /** The time that the driver takes to hear of the paint and to press is in it, some 30 to 120 ms. */
  sincePaint: number;
}

/** Presses the button of the header's menu as soon as the first paint is known, and measures until the menu is open. */
async function menuDelay(phone: Phone, url: string, button: Point): Promise<MenuDelay> {
  const visit = await phone.visit(url);
  await visit.painted;
  await visit.page.touchscreen.tap(button.x, button.y);
  await visit.page.waitForFunction(
    () => (window as unknown as { vitals: { menuOpened: number } }).vitals.menuOpened,
  );
  const { menuOpened, firstPaint, touched } = await visit.read();
  await visit.close();
  return { sincePress: menuOpened - touched, sincePaint: menuOpened - firstPaint };
}

/** Returns 1 when the page is still in memory after the reader has gone elsewhere and back. */
async function comesBack({ page }: Visit): Promise<number> {
  await page.evaluate(() => Object.assign(window, { left: true }));
  await page.evaluate(() => {
    window.location.href = '/contact?away';
  });
  await page.waitForURL('**/contact?away');
  await page.evaluate(() => history.back());
  while (page.url().endsWith('?away')) await wait(50);
  return (await page.evaluate(() => 'left' in window)) ? 1 : 0;
}

interface Presses {
  page: ControlledPage;
  open(): Promise<Visit>;
}

/** Measures every control of a page, all on one visit a round. */
async function benchControls(figures: Figures, { page: { name, controls }, open }: Presses): Promise<void> {
  const times = new Map<string, number[]>(controls.map((control) => [control.name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    const visit = await open();
    await visit.page.waitForLoadState('networkidle');
    if (visit.page.url().endsWith('#comments')) await showAllComments(visit);
    for (const control of controls) {
      await wait(REST_MS);
      await visit.page.evaluate(() => {
        (window as unknown as { vitals: { longestInteraction: number } }).vitals.longestInteraction = 0;
      });
      await control.use(visit.page);
      await wait(REST_MS);
      times.get(control.name)?.push((await visit.read()).longestInteraction);
    }
    await visit.close();
  }
  const worst = [...times].map(([control, values]) => ({ control, time: median(values) }));
  worst.sort((a, b) => b.time - a.time);
  const all = ` (${worst.map(({ control, time }) => `${control} ${time}`).join(', ')})`;
  figures.note(`phone: ${name}, slowest control (INP)`, worst[0]?.time ?? Number.NaN, atMost(150, 'ms'), all);
}

async function showAllComments({ page }: Visit): Promise<void> {
  const items = page.locator('main section[id] li');
  while ((await items.count()) < COMMENTS) {
    const before = await items.count();
    const older = page.locator('main section[id] > form button').last();
    await older.scrollIntoViewIfNeeded();
    // Comments have their true height once they are in view, which moves the button.
    await wait(SETTLE_MS);
    await older.tap();
    await page.waitForFunction(
      (count) => document.querySelectorAll('main section[id] li').length > count,
      before,
    );
  }
}
