import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import type { Page } from '@playwright/test';
import type { Language } from '../../../apps/journal/project/languages.ts';
import { expect, expectAccessibleInBothThemes, expectNoSidewaysScroll, test } from '../journal.ts';
import { setSession, writeComment, writePost } from '../people.ts';
import { Visitor } from '../steps.ts';
import { expectConsoleErrors } from '../traffic.ts';

const LONG_TITLE = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

let author: Author;
let postId: string;

test.beforeEach(async ({ journal }) => {
  author = await signUp(journal.server, 'Dr Ada Byron');
  postId = await writePost(journal.server, author, { title_en: LONG_TITLE, title_de: LONG_TITLE });
  await writeComment(author, postId, `${LONG_TITLE} and so on.`);
});

interface Screen {
  name: string;
  path: () => string;
  /** Prepares the screen. */
  act?: (visitor: Visitor) => Promise<void>;
}

const submit = ({ page }: Visitor) => page.locator('main form button[type=submit]').last().click();

const PUBLIC_SCREENS: Screen[] = [
  { name: 'the gallery', path: () => '/gallery' },
  { name: 'a search', path: () => '/gallery?search=Donaudampf' },
  { name: 'a search for nothing', path: () => `/gallery?search=${'x'.repeat(100)}` },
  { name: 'about me', path: () => '/about-me' },
  { name: 'contact with complaints', path: () => '/contact', act: submit },
  { name: 'signing in with complaints', path: () => '/auth', act: submit },
  { name: 'signing up with complaints', path: () => '/auth?view=sign-up', act: submit },
  { name: 'a refused sign-in', path: () => '/auth?redirect_url=https://evil.example/' },
  { name: 'an unknown URL', path: () => '/atlas' },
  { name: 'an unknown post', path: () => '/post/post_none' },
  {
    name: 'a post, its comments open, with a notice',
    path: () => `/post/${postId}`,
    act: async ({ page, m, likeButton }) => {
      await page.getByRole('button', { name: m.post.comments.count(1) }).click();
      await expect(page.locator('#comments li')).toHaveCount(1);
      await likeButton.click();
      // A notice stays while the pointer is over it.
      await page.locator('.notice').hover();
    },
  },
  {
    name: 'the share menu',
    path: () => `/post/${postId}`,
    act: ({ page, m }) => page.getByRole('button', { name: m.post.share.open }).click(),
  },
  {
    name: 'the header’s menu',
    path: () => '/gallery',
    act: (visitor) => visitor.unfoldMenu(),
  },
  {
    name: 'the languages',
    path: () => '/gallery',
    act: ({ page }) => page.locator('header summary').click(),
  },
];

const AUTHORS_SCREENS: Screen[] = [
  {
    name: 'the form with complaints',
    path: () => '/admin',
    act: async (visitor) => {
      await submit(visitor);
      await visitor.page.locator('.notice').hover();
    },
  },
  {
    name: 'the form with a draft',
    path: () => '/admin',
    act: (visitor) => visitor.fillPost(LONG_TITLE, LONG_TITLE),
  },
  {
    name: 'the question before deleting',
    path: () => `/post/${postId}`,
    act: ({ page, m }) => page.getByRole('button', { name: m.post.delete.open, exact: true }).click(),
  },
];

interface Look {
  language: Language;
  screens: Screen[];
  check: (page: Page) => Promise<void>;
}

async function lookAt(page: Page, { language, screens, check }: Look): Promise<void> {
  const visitor = new Visitor(page, language);
  for (const { name, path, act } of screens) {
    await test.step(name, async () => {
      await visitor.open(path());
      await act?.(visitor);
      await check(page);
    });
  }
}

test('axe finds no violations on any page in light and in dark', async ({ page, journal, consoleErrors }) => {
  test.setTimeout(300_000);
  const look = { language: 'en', check: expectAccessibleInBothThemes } as const;
  await lookAt(page, { ...look, screens: PUBLIC_SCREENS });
  await setSession(page, author, journal.server);
  await lookAt(page, { ...look, screens: AUTHORS_SCREENS });
  // Chromium reports the pages with status 400 and 404.
  expectConsoleErrors(consoleErrors, /status of 400/, /status of 404/);
});

/** Expects that a page fits into 360 px where its reader has doubled the size of the text. */
async function expectLargeTextFits(page: Page): Promise<void> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  await page.setViewportSize({ width: 360, height: 640 });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  await expectNoSidewaysScroll(page);
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  await page.setViewportSize({ width, height });
}

/** Expects that a page fits into the window, and with large text into a phone. */
async function expectNarrow(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page);
  await expectLargeTextFits(page);
}

test('no page in German is wider than 320 px, or than 360 px with text of twice the size', async ({
  page,
  journal,
  consoleErrors,
}) => {
  test.setTimeout(300_000);
  await page.setViewportSize({ width: 320, height: 640 });
  const look = { language: 'de', check: expectNarrow } as const;
  await lookAt(page, { ...look, screens: PUBLIC_SCREENS });
  await setSession(page, author, journal.server);
  await lookAt(page, {
    ...look,
    screens: [...AUTHORS_SCREENS, { name: 'signed in', path: () => '/gallery' }],
  });
  expectConsoleErrors(consoleErrors, /status of 400/, /status of 404/);
});

test('text of twice the size fits into a phone in French too', async ({ page, consoleErrors }) => {
  await lookAt(page, { language: 'fr', screens: PUBLIC_SCREENS, check: expectLargeTextFits });
  expectConsoleErrors(consoleErrors, /status of 400/, /status of 404/);
});

test('the header and the bar of a post leave two thirds of a phone to text of twice the size', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const visitor = new Visitor(page, 'de');
  await visitor.open(`/post/${postId}`);
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  const bar = page.getByRole('region', { name: visitor.m.post.engagement });
  await expect(page.locator('header[data-tall]')).toHaveCSS('position', 'static');
  await bar.scrollIntoViewIfNeeded();
  await page.evaluate(() => window.scrollBy(0, -30));
  await expect(page.getByRole('banner')).not.toBeInViewport();
  expect((await bar.boundingBox())?.height).toBeLessThan(740 / 3);
});

test('buttons have an outline where the system chooses the colours, and the current tab alone a line', async ({
  page,
  journal,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await new Visitor(page).open('/auth');
  const lines = await page
    .getByRole('navigation', { name: new Visitor(page).m.signIn.views })
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => getComputedStyle(link).borderBottomColor));
  const ground = await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
  expect(lines.map((line) => line === ground)).toEqual([false, true]);
  await setSession(page, author, journal.server);
  for (const path of ['/contact', '/admin', '/account', `/post/${postId}`]) {
    await new Visitor(page).open(path);
    const bare = await page
      .locator(
        'main button.font-medium:not([aria-pressed], [aria-expanded], [popovertarget]), header a.font-medium.border',
      )
      .filter({ visible: true })
      .evaluateAll((buttons) =>
        buttons
          .filter((button) => {
            const { borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(button);
            return borderTopWidth === '0px' || borderTopColor === backgroundColor;
          })
          .map((button) => button.textContent),
      );
    expect(bare, path).toEqual([]);
  }
});

/** Returns the controls that a finger does not press easily: too small, or with something else over their middle. */
async function hardToPress(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const LEAST = 44;
    const controls = document.querySelectorAll<HTMLElement>(
      'button, summary, select, [role=button], a.rounded-xs, label:has(input[type=file])',
    );
    const faults: string[] = [];
    for (const control of controls) {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.closest('.sr-only')) continue;
      control.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      const { left, top, width, height } = control.getBoundingClientRect();
      const name = `${control.ariaLabel ?? control.textContent.trim()} ${Math.round(width)} × ${Math.round(height)}`;
      if (Math.min(width, height) < LEAST - 0.5) faults.push(name);
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      // The header leaves the window while a page is scrolled, and an open menu, or the arrow of a row, lies over what is behind it.
      const isHit =
        hit === null ||
        control.contains(hit) ||
        hit.contains(control) ||
        hit.closest('[popover], [role=menu], details, dialog, [aria-hidden=true]') !== null ||
        hit.closest('label')?.contains(control);
      if (!isHit) faults.push(`${name}, below ${hit.outerHTML.slice(0, 80)}`);
    }
    return faults;
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test('every button is at least 44 px high and wide, and none lies over another', async ({
    page,
    journal,
    consoleErrors,
  }) => {
    test.setTimeout(300_000);
    const look: Omit<Look, 'screens'> = {
      language: 'de',
      check: async (shown) => expect(await hardToPress(shown)).toEqual([]),
    };
    await lookAt(page, { ...look, screens: PUBLIC_SCREENS });
    await setSession(page, author, journal.server);
    const paths = ['', '/translations/en', '/translations/es'].map(
      (end) => () => `/admin/posts/${postId}${end}`,
    );
    const screens = [() => '/account', () => '/admin/posts', () => '/admin/translations', ...paths].map(
      (path) => ({
        name: path(),
        path,
        act: async ({ page: shown }: Visitor) => {
          await expect(shown.locator('main :is(h1, h2)').first()).toBeVisible();
          await expect(shown.locator('main .skeleton')).toHaveCount(0);
        },
      }),
    );
    await lookAt(page, { ...look, screens: [...AUTHORS_SCREENS, ...screens] });
    expectConsoleErrors(consoleErrors, /status of 400/, /status of 404/);
  });
});
