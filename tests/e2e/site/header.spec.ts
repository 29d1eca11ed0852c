import { signUp } from '@fabrica/test-peers/author.ts';
import { expect, expectAccessible, test } from '../journal.ts';
import { signInOn, writePost } from '../people.ts';
import { Visitor } from '../steps.ts';
import { expectConsoleErrors } from '../traffic.ts';

const DARK_PAPER = 'rgb(20, 17, 15)';
const LIGHT_PAPER = 'rgb(251, 248, 243)';

test('the link of the current page alone is marked', async ({ page }) => {
  const visitor = new Visitor(page);
  const { layout } = visitor.m;
  const nav = page.getByRole('navigation', { name: layout.navigation });
  await visitor.open('/about-me');
  for (const [name, path] of [
    [layout.about, '/about-me'],
    [layout.gallery, '/gallery'],
    [layout.contact, '/contact'],
  ] as const) {
    await nav.getByRole('link', { name }).click();
    await expect(page).toHaveURL(new RegExp(`${path}(\\?|$)`));
    await expect(nav.locator('[aria-current=page]')).toHaveText([name]);
  }
});

test('the links are folded into a menu on a small screen', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const visitor = new Visitor(page);
  const { layout } = visitor.m;
  await visitor.open('/gallery');
  const contact = page.getByRole('link', { name: layout.contact, exact: true });
  const open = page.getByRole('button', { name: layout.openMenu });
  const close = page.getByRole('button', { name: layout.closeMenu });
  await expect(contact).toBeHidden();
  await expect(open).toHaveAttribute('aria-expanded', 'false');
  await open.click();
  await expect(close).toHaveAttribute('aria-expanded', 'true');
  await expect(contact).toBeVisible();
  await close.click();
  await expect(contact).toBeHidden();
  await open.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await expect(contact).toBeHidden();
  await expect(open).toBeFocused();
  await open.click();
  await contact.click();
  await expect(page).toHaveURL(/\/contact$/);
  await expect(page.getByRole('link', { name: layout.about, exact: true })).toBeHidden();
});

test('the menus open by a press and by keyboard while the scripts of the page are missing', async ({
  page,
  journal,
}) => {
  const postId = await writePost(journal.server, await signUp(journal.server));
  await page.setViewportSize({ width: 360, height: 740 });
  await page.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  const { layout, post } = new Visitor(page).m;
  await page.goto(`/post/${postId}`);
  const toggle = page.getByRole('button', { name: layout.openMenu });
  const contact = page.getByRole('link', { name: layout.contact, exact: true });
  await toggle.click();
  await expect(contact).toBeInViewport();
  await expect(toggle.locator('svg:visible')).toHaveClass(/lucide-x/);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: layout.gallery, exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(contact).toBeHidden();
  await expect(toggle).toBeFocused();

  const share = page.getByRole('button', { name: post.share.open });
  await share.click();
  const mail = page.getByRole('menuitem', { name: post.share.email });
  await expect(mail).toBeInViewport();
  await expect(mail).toHaveAttribute('href', /^mailto:\?subject=.*post/);
  await page.mouse.click(20, 90);
  await expect(mail).toBeHidden();

  await page.locator('header summary').click();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  const de = new Visitor(page, 'de').m.layout;
  await page.getByRole('button', { name: de.openMenu }).click();
  await page.getByRole('link', { name: de.contact, exact: true }).click();
  await expect(page).toHaveURL(/\/contact$/);
});

test('Create Post is shown to signed-in authors, and one button signs in or out', async ({
  page,
  journal,
}) => {
  const visitor = new Visitor(page);
  const { layout } = visitor.m;
  const create = page.getByRole('link', { name: layout.createPost, exact: true });
  await visitor.open('/about-me');
  await expect(page.getByRole('button', { name: 'Admin Sign In' })).toBeVisible();
  await expect(create).toHaveCount(0);
  await signInOn(page, journal.server);
  await visitor.open('/about-me');
  await expect(create).toHaveAttribute('href', '/admin');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('button', { name: 'Admin Sign In' })).toBeVisible();
  await expect(visitor.notice(layout.signedOut)).toBeVisible();
  await expect(create).toHaveCount(0);
  await page.getByRole('button', { name: 'Admin Sign In' }).click();
  await expect(page).toHaveURL(/\/auth\?return_to=%2Fabout-me/);
});

test('the language can be chosen by keyboard and is kept for the next visit', async ({ page, context }) => {
  const visitor = new Visitor(page);
  await visitor.open('/about-me');
  const menu = page.locator('header details');
  await menu.locator('summary').focus();
  await page.keyboard.press('ArrowDown');
  await expect(menu.getByRole('link', { name: 'English' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(menu.getByRole('link', { name: 'Deutsch' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu.locator('summary')).toBeFocused();
  await expect(menu).not.toHaveAttribute('open');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const de = new Visitor(page, 'de').m;
  await expect(page.getByRole('heading', { level: 1, name: de.about.title })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page).toHaveTitle(new RegExp(de.about.title));
  await expect(page).toHaveURL(/\/about-me$/);
  expect(await page.evaluate(() => localStorage.getItem('fabrica_language'))).toBe('de');
  expect((await context.cookies()).find(({ name }) => name === 'fabrica_language')?.value).toBe('de');
  await page.goto('/contact');
  await expect(page.getByRole('heading', { level: 1, name: de.contact.title })).toBeVisible();
});

test('the pages for accounts are in the language that was chosen since their texts were loaded', async ({
  page,
}) => {
  const visitor = new Visitor(page);
  const { m: de } = new Visitor(page, 'de');
  const choose = async (label: RegExp, language: string) => {
    await page.getByLabel(label).click();
    await page.getByRole('link', { name: language, exact: true }).click();
  };
  const signInWith = (button: string) => page.getByRole('button', { name: button, exact: true }).click();
  await visitor.open('/about-me');
  await choose(/^Language/, 'Deutsch');
  await signInWith(de.layout.signIn);
  await expect(page.getByRole('heading', { level: 1, name: de.signIn.title })).toBeVisible();
  await page.getByRole('link', { name: de.layout.about, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: de.about.title })).toBeVisible();
  await choose(/^Sprache/, 'English');
  await signInWith(visitor.m.layout.signIn);
  await expect(page.getByRole('heading', { level: 1, name: visitor.m.signIn.title })).toBeVisible();
  await choose(/^Language/, 'Deutsch');
  await expect(page.getByRole('heading', { level: 1, name: de.signIn.title })).toBeVisible();
});

test('a visitor is offered the language of the browser, moved by nothing, and has their place in it', async ({
  browser,
  journal,
}) => {
  const content = 'Light comes in.\n\n'.repeat(40);
  const texts = { content, content_en: content, content_de: content, content_fr: content };
  const id = await writePost(journal.server, await signUp(journal.server), texts);
  const context = await browser.newContext({ baseURL: journal.server.url, locale: 'de-AT' });
  const page = await context.newPage();
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const { dataset } = document.documentElement;
      for (const entry of list.getEntries()) {
        dataset.shift = `${Number(dataset.shift ?? 0) + (entry as unknown as { value: number }).value}`;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const visitor = new Visitor(page, 'de');
  await page.goto(`/post/${id}`);
  await visitor.hydrated();
  const html = page.locator('html');
  const offer = page.getByRole('link', { name: 'Diese Website gibt es auch auf Deutsch' });
  await expect(html).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('complementary')).toHaveCount(1);
  // A font that arrives late moves words by a few pixels.
  expect(Number((await html.getAttribute('data-shift')) ?? 0)).toBeLessThan(0.001);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Diesen Hinweis schließen' }).click();
  await expect(offer).toBeHidden();
  await page.reload();
  await visitor.hydrated();
  await expect(offer).toBeHidden();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await visitor.hydrated();
  await offer.click();
  await expect(html).toHaveAttribute('lang', 'de');

  await page.evaluate(() => window.scrollTo(0, 1200));
  await expect(page.locator('header[data-away]')).toHaveCount(1);
  await page.mouse.wheel(0, -100);
  await expect(page.locator('header[data-away]')).toHaveCount(0);
  const top = () =>
    page
      .locator('.prose-text p')
      .nth(20)
      .evaluate((p) => p.getBoundingClientRect().top);
  const before = await top();
  // Pressed by the mouse: a press by its element scrolls the page to it first.
  for (const target of [
    page.locator('header summary'),
    page.getByRole('link', { name: 'Français', exact: true }),
  ]) {
    const box = await target.boundingBox();
    await page.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 10);
  }
  await expect(html).toHaveAttribute('lang', 'fr');
  expect(Math.abs((await top()) - before)).toBeLessThan(60);
  await context.close();
});

for (const javaScriptEnabled of [true, false]) {
  test(`a link in another language shows its page and changes no choice, ${javaScriptEnabled ? 'with' : 'without'} a script`, async ({
    browser,
    journal,
  }) => {
    const context = await browser.newContext({ baseURL: journal.server.url, javaScriptEnabled });
    const page = await context.newPage();
    const html = page.locator('html');
    await page.goto('/about-me?lang=fr');
    await page.goto('/contact');
    await expect(html, 'the language of a link counts where nothing was chosen').toHaveAttribute(
      'lang',
      'fr',
    );
    await page.locator('header summary').click();
    await page.getByRole('link', { name: 'Deutsch', exact: true }).click();
    await expect(html).toHaveAttribute('lang', 'de');
    await page.goto('/about-me?lang=en');
    await expect(html).toHaveAttribute('lang', 'en');
    const { m } = new Visitor(page);
    await page.getByRole('banner').getByRole('link', { name: m.layout.gallery, exact: true }).click();
    await expect(page).toHaveURL(/\/gallery/);
    await expect(html).toHaveAttribute('lang', 'de');
    await page.goto('/contact');
    await expect(html).toHaveAttribute('lang', 'de');
    await context.close();
  });
}

test('a language that only local storage knows is restored', async ({ page, context }) => {
  const visitor = new Visitor(page, 'fr');
  await page.goto('/about-me?lang=fr&reader=fr');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('fabrica_language'))).toBe('fr');
  await context.clearCookies();
  await page.goto('/contact');
  await expect(page.getByRole('heading', { level: 1, name: visitor.m.contact.title })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
});

test('a language that could not be loaded is explained, and the page stays as it is', async ({
  page,
  consoleErrors,
}) => {
  const visitor = new Visitor(page);
  await visitor.open('/about-me');
  await page.waitForLoadState('networkidle');
  await page.route('**/assets/**', (route) => route.abort('connectionfailed'));
  await page.getByLabel(/^Language/).click();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page.locator('[data-tone=error]')).toContainText(visitor.m.layout.languageFailed);
  await expect(page.getByRole('heading', { level: 1, name: visitor.m.about.title })).toBeVisible();
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
});

test('the theme follows the system, and a chosen theme applies before any script runs', async ({
  page,
  consoleErrors,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  const visitor = new Visitor(page);
  await visitor.open('/about-me');
  const body = page.locator('body');
  const dark = page.getByRole('button', { name: visitor.m.layout.darkTheme });
  await expect(body).toHaveCSS('background-color', LIGHT_PAPER);
  await expect(dark).toHaveAttribute('aria-pressed', 'false');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(body).toHaveCSS('background-color', DARK_PAPER);
  await expect(dark).toHaveAttribute('aria-pressed', 'true');
  await page.emulateMedia({ colorScheme: 'light' });
  await dark.click();
  await expect(body).toHaveCSS('background-color', DARK_PAPER);

  await page.route('**/assets/*.js', (route) => route.abort());
  const failed = page.waitForEvent('requestfailed');
  await page.goto('/contact');
  await expect(body).toHaveCSS('background-color', DARK_PAPER);
  await failed;
  await page.unrouteAll();
  await visitor.open('/contact');
  await dark.click();
  await expect(body).toHaveCSS('background-color', LIGHT_PAPER);
  await page.reload();
  await expect(body).toHaveCSS('background-color', LIGHT_PAPER);
  expectConsoleErrors(consoleErrors, /ERR_FAILED/);
});

test('signing in and out in one tab applies to the other tab', async ({ page, context, journal }) => {
  const author = await signUp(journal.server);
  const other = new Visitor(await context.newPage());
  await other.open('/about-me');
  const signOutThere = other.page.getByRole('button', { name: other.m.layout.signOut });
  await expect(other.page.getByRole('button', { name: other.m.layout.signIn })).toBeVisible();

  const visitor = new Visitor(page);
  await visitor.open('/auth?return_to=/contact');
  await visitor.signIn(author.email);
  await expect(signOutThere).toBeVisible();
  await expect(other.page.getByRole('link', { name: other.m.layout.createPost, exact: true })).toBeVisible();

  await signOutThere.click();
  await expect(page.getByRole('button', { name: visitor.m.layout.signIn })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('fabrica_tokens_journal'))).toBeNull();
});

test('an expired access token is refreshed once without a notice', async ({ page, journal }) => {
  const { author, visitor } = await signInOn(page, journal.server);
  await visitor.open('/about-me');
  await expect(page.getByRole('button', { name: visitor.m.layout.signOut })).toBeVisible();
  await page.evaluate(() => {
    const tokens = JSON.parse(localStorage.getItem('fabrica_tokens_journal') ?? '{}');
    // A token counts as expired 30 s before its end.
    const issued_at = Math.floor(Date.now() / 1000) - tokens.expires_in + 29;
    localStorage.setItem('fabrica_tokens_journal', JSON.stringify({ ...tokens, issued_at }));
  });
  const refreshes: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/refresh')) refreshes.push(request.url());
  });
  await page.reload();
  await visitor.hydrated();
  await expect(page.getByRole('button', { name: visitor.m.layout.signOut })).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('fabrica_tokens_journal') ?? '{}')))
    .toMatchObject({
      refresh_token: expect.not.stringContaining(author.session.refresh_token),
      user: { id: author.id },
    });
  expect(refreshes).toHaveLength(1);
});
