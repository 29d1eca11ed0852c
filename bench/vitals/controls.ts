import type { Page } from 'playwright-core';

/** A control of a page, in the order in which it is used. */
export interface Control {
  name: string;
  use(page: Page): Promise<unknown>;
}

export interface ControlledPage {
  name: string;
  path: string;
  signedIn?: boolean;
  controls: readonly Control[];
}

/** The pages that the vitals are measured on. */
export interface Places {
  /** The path of a post with 300 comments, one of which is the author's. */
  post: string;
}

const tap = (name: string, selector: string, then?: Control['use']): Control => ({
  name,
  async use(page) {
    await page.locator(selector).filter({ visible: true }).first().tap();
    await (then ?? paint)(page);
  },
});
const type = (name: string, selector: string): Control => ({
  name,
  use: (page) =>
    page.locator(selector).filter({ visible: true }).first().pressSequentially('atlas', { delay: 40 }),
});
/**
 * Has the page paint. Chromium counts a press until the next frame that it shows: a released key causes none, and a browser
 * without a window may keep the frame of a small change back until something else changes, seconds later.
 */
const paint: Control['use'] = (page) =>
  page.evaluate(async () => {
    for (const opacity of ['0.999', '']) {
      document.body.style.opacity = opacity;
      // The first one comes before the frame is painted, the second one after it.
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    }
  });
const back: Control['use'] = async (page) => {
  await page.keyboard.press('Escape');
  await paint(page);
};

/** Waits for the question that a press opens, whose code may still be loading, and closes it. */
const close: Control['use'] = async (page) => {
  const question = page.locator('dialog[open]');
  await question.waitFor();
  await back(page);
  await question.waitFor({ state: 'hidden' });
};

const HEADER = [
  tap('menu', 'header button[popovertarget]'),
  tap('menu, closed', 'header button[popovertarget]'),
  tap('languages', 'header summary', back),
  tap('theme', 'header button[aria-pressed]'),
];
const COMMENTS = 'main section button[aria-controls]';

/** Returns every control of every page, in an order in which all can be used on one visit. */
export function controlledPages({ post }: Places): ControlledPage[] {
  return [
    {
      name: 'gallery',
      path: '/gallery',
      controls: [
        ...HEADER,
        type('typing into the search', 'input[type=search]'),
        tap('more posts', 'main a[href*=cursor]'),
        tap('a plate', 'main li a'),
      ],
    },
    {
      name: 'post',
      path: post,
      controls: [
        ...HEADER,
        tap('share', 'main button[aria-haspopup=menu]', back),
        tap('like, as a visitor', 'main section button[aria-pressed]'),
        tap('comments', COMMENTS),
        tap('older comments', 'main section[id] > form button'),
      ],
    },
    {
      name: 'post with 300 comments',
      path: `${post}#comments`,
      signedIn: true,
      controls: [
        type('typing a comment', 'main textarea'),
        tap('like', 'main section button[aria-pressed]'),
        tap('like of a comment', 'main section[id] li button[aria-pressed]'),
        tap('delete a comment', 'main section[id] li button:not([aria-pressed])', close),
        tap('share', 'main button[aria-haspopup=menu]', back),
        tap('delete the post', 'main button:has(svg.lucide-trash-2)', close),
        tap('comments, closed', COMMENTS),
        tap('comments, opened again', COMMENTS),
      ],
    },
    { name: 'about', path: '/about-me', controls: HEADER },
    {
      name: 'contact',
      path: '/contact',
      controls: [...HEADER, tap('send, empty', 'form button[type=submit]'), type('typing', 'main textarea')],
    },
    {
      name: 'sign-in',
      path: '/auth',
      controls: [
        ...HEADER,
        type('typing', 'main input[type=email]'),
        tap('sign in, unfinished', 'main form button[type=submit]'),
        tap('sign up', 'main a[href*=sign-up]'),
      ],
    },
    {
      name: 'create post',
      path: '/admin',
      signedIn: true,
      controls: [
        ...HEADER,
        type('typing a title', 'main form textarea'),
        type('typing a text', 'main form textarea[rows="14"]'),
        tap('publish, unfinished', 'main form button[type=submit]'),
      ],
    },
    {
      name: 'account',
      path: '/account',
      signedIn: true,
      controls: [...HEADER, type('typing a name', 'main input:not([type=file])')],
    },
  ];
}
