import { serviceRest, signUp } from '@fabrica/test-peers/author.ts';
import { expect, test } from '../journal.ts';
import { writePost } from '../people.ts';
import { Visitor } from '../steps.ts';

interface OpenedWindow {
  url: string;
  features: Record<string, string>;
}

const TITLE = 'Spleen & “marrow”, 100%';

let opened: OpenedWindow[];
let visitor: Visitor;
let postId: string;

/** Records the windows that the page opens instead of opening pages of other sites. */
test.beforeEach(async ({ page, journal }) => {
  opened = [];
  const author = await signUp(journal.server);
  postId = await writePost(journal.server, author, { title_en: TITLE });
  await page.exposeFunction('noteOpened', (url: string, features: string) => {
    opened.push({
      url,
      features: Object.fromEntries(features.split(',').map((feature) => feature.split('='))),
    });
  });
  await page.addInitScript(() => {
    window.open = (url, _target, features) => {
      (window as unknown as { noteOpened(a: string, f: string): void }).noteOpened(
        String(url),
        features ?? '',
      );
      return null;
    };
  });
  visitor = new Visitor(page);
  await visitor.open(`/post/${postId}`);
});

test('the share menu has eight items', async ({ page }) => {
  await page.getByRole('button', { name: visitor.m.post.share.open }).click();
  const names = await page.getByRole('menuitem').evaluateAll((items) =>
    items.map((item) => {
      const copy = item.cloneNode(true) as Element;
      copy.querySelector('[aria-hidden=true]')?.remove();
      return copy.textContent;
    }),
  );
  expect(names).toEqual([
    'Copy Link',
    'Facebook',
    'X/Twitter',
    'LinkedIn',
    'WhatsApp',
    'Telegram',
    'Reddit',
    'Email',
  ]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem')).toHaveCount(0);
});

test('on a phone, the share menu begins with the phone’s own sheet of apps', async ({ browser, journal }) => {
  const context = await browser.newContext({ baseURL: journal.server.url, hasTouch: true, isMobile: true });
  const phone = await context.newPage();
  await phone.addInitScript(() => {
    navigator.share = async ({ url = '' } = {}) => {
      document.title = url;
    };
  });
  const reader = new Visitor(phone, 'de');
  await reader.open(new URL(visitor.page.url()).pathname);
  await reader.share(reader.m.post.share.native);
  await expect(phone).toHaveTitle(/\/post\/.*\?lang=de$/);
  await context.close();
});

test('the share menu is used by keyboard and fits into a low window', async ({ page }) => {
  await page.setViewportSize({ width: 700, height: 420 });
  const { share } = visitor.m.post;
  const open = page.getByRole('button', { name: share.open });
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  await open.scrollIntoViewIfNeeded();
  await open.press('Enter');
  await expect(open).toHaveAttribute('aria-expanded', 'true');
  await expect(item(share.copyLink)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(item(share.email)).toBeFocused();
  await expect(item(share.email)).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('ArrowDown');
  await expect(item(share.copyLink)).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(open).toBeFocused();
  await expect(open).toHaveAttribute('aria-expanded', 'false');
  await open.click();
  await page.getByRole('heading', { level: 1 }).click();
  await expect(item(share.copyLink)).toBeHidden();
});

const LOW_WINDOWS = [
  { width: 1280, height: 800 },
  { width: 1280, height: 460 },
  { width: 700, height: 300 },
];

test('the share menu is whole in the window wherever its button is', async ({ page }) => {
  const { share } = visitor.m.post;
  const open = page.getByRole('button', { name: share.open });
  const menu = page.getByRole('menu');
  for (const size of LOW_WINDOWS) {
    await page.setViewportSize(size);
    // In the middle, and half out of view at either end.
    for (const top of [size.height / 2, size.height - 24, -24]) {
      await open.evaluate((button, y) => window.scrollBy(0, button.getBoundingClientRect().top - y), top);
      await open.evaluate((button: HTMLElement) => button.click());
      await expect(menu).toBeInViewport({ ratio: 1 });
      const last = page.getByRole('menuitem', { name: share.email, exact: true });
      if (size.height > 400) await expect(last).toBeInViewport({ ratio: 1 });
      await page.keyboard.press('Escape');
      await expect(menu).toBeHidden();
    }
  }
});

test('the icons of the services load with the first opening of the menu', async ({ page }) => {
  const icons: string[] = [];
  page.on('requestfinished', (request) => {
    if (/share-icons.*\.svg/.test(request.url())) icons.push(request.url());
  });
  await page.waitForLoadState('networkidle');
  expect(icons).toEqual([]);
  await page.getByRole('button', { name: visitor.m.post.share.open }).click();
  await expect.poll(() => icons).toHaveLength(1);
});

const SERVICES = [
  { name: 'Facebook', host: 'www.facebook.com', carries: ['u'] },
  { name: 'X/Twitter', host: 'twitter.com', carries: ['url', 'text'] },
  { name: 'LinkedIn', host: 'www.linkedin.com', carries: ['url'] },
  { name: 'WhatsApp', host: 'wa.me', carries: ['text'] },
  { name: 'Telegram', host: 't.me', carries: ['url', 'text'] },
  { name: 'Reddit', host: 'www.reddit.com', carries: ['url', 'title'] },
];

test('each service opens in a popup of 600 by 400 with the URL and the title', async ({ page }) => {
  for (const [order, { name, host, carries }] of SERVICES.entries()) {
    await visitor.share(name);
    await expect.poll(() => opened).toHaveLength(order + 1);
    const window = opened.at(-1);
    expect(window?.features, name).toMatchObject({ width: '600', height: '400' });
    const url = new URL(window?.url ?? '');
    expect(url.protocol).toBe('https:');
    expect(url.host).toBe(host);
    const shared = carries.map((parameter) => url.searchParams.get(parameter)).join(' ');
    expect(shared, name).toContain(page.url());
    if (carries.includes('text') || carries.includes('title')) expect(shared, name).toContain(TITLE);
  }
});

test('sharing by e-mail opens a mail with subject and text', async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  const requested = new Promise<string>((resolve) => {
    session.on('Page.frameRequestedNavigation', ({ url }) => resolve(url));
  });
  await visitor.share(visitor.m.post.share.email);
  const url = new URL(await requested);
  expect(url.protocol).toBe('mailto:');
  expect(url.searchParams.get('subject')).toBe(TITLE);
  expect(url.searchParams.get('body')).toContain(TITLE);
  expect(url.searchParams.get('body')).toContain(page.url());
  // Some mail programs show a plus literally.
  expect(url.search).not.toContain('+');
  expect(opened).toEqual([]);
});

test('a notice shows the link when the clipboard is not available', async ({ page }) => {
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
  });
  await visitor.share(visitor.m.post.share.copyLink);
  const notice = visitor.notice(visitor.m.post.share.copyFailed);
  await expect(notice).toContainText(page.url());
});

test('a reader who chose German shares the German page, whichever way', async ({ page }) => {
  visitor = new Visitor(page, 'de');
  await page.getByLabel(/^Language/).click();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page).not.toHaveURL(/lang=/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  // The note about the translation comes with the German text, and moves what is below it.
  await expect(page.getByRole('main').getByRole('note')).toBeVisible();
  const shared = `${page.url()}?lang=de`;
  await visitor.share('Facebook');
  await expect.poll(() => opened).toHaveLength(1);
  expect(new URL(opened[0]?.url ?? '').searchParams.get('u')).toBe(shared);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
  });
  await visitor.share(visitor.m.post.share.copyLink);
  await expect(visitor.notice(visitor.m.post.share.copyFailed)).toContainText(shared);
});

test('the address bar has the address in words, on the way back, after a reload and in another language too', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const slugs = ['en', 'de'].map((language) => ({
    id: `${language}-${postId.replaceAll('_', '-')}`,
    language,
  }));
  const rows = slugs.map((slug) => ({ ...slug, post_id: postId, current: 1, created_at: 1 }));
  expect((await serviceRest(journal.server)('POST', 'post_slugs', rows)).status).toBe(201);
  const address = (language: string) =>
    `${journal.server.url}/post/${slugs.find((slug) => slug.language === language)?.id}?lang=${language}`;
  await visitor.open('/gallery');
  await page.locator(`a[href="/post/${postId}"]`).first().click();
  await expect(page).toHaveURL(address('en'));
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', address('en'));
  await page.waitForFunction(() => document.getAnimations().length === 0);

  // The viewer is on the same page: nothing is loaded on the way back from it.
  await page.getByRole('link', { name: visitor.m.post.enlarge }).click();
  await expect(page).toHaveURL(`${address('en')}#artwork`);
  await page.context().setOffline(true);
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(address('en'));
  await page.context().setOffline(false);

  await page.getByLabel(/^Language/).click();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page).toHaveURL(address('de'));
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.reload();
  await expect(page).toHaveURL(address('de'));
  await visitor.hydrated();
  await page.evaluate(() => scrollTo(0, 300));
  await page.goBack();
  await expect(page.getByRole('searchbox')).toBeVisible();
  await page.goForward();
  await expect(page).toHaveURL(address('de'));
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(300);

  // What the page puts there is no choice: the one that only local storage knows is restored.
  await page.context().clearCookies();
  await page.goto(`/post/${postId}`);
  await expect(page).toHaveURL(address('de'));
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.getByLabel(/^Sprache/).click();
  await page.getByRole('link', { name: 'English' }).click();
  await expect(page).toHaveURL(address('en'));
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  // What a page loads in the background, it may ask for while there is no connection.
  const others = consoleErrors.filter((error) => !error.includes('ERR_INTERNET_DISCONNECTED'));
  consoleErrors.splice(0, consoleErrors.length, ...others);
});
