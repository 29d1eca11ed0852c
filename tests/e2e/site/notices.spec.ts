import { signUp } from '@fabrica/test-peers/author.ts';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../journal.ts';
import { signInOn, writePost } from '../people.ts';
import { Visitor } from '../steps.ts';
import { CALLS, expectConsoleErrors } from '../traffic.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const WINDOW = { width: 1280, height: 900 };
const SENDING_MS = 1_500;
const WINDOWS = [
  { width: 360, height: 740 },
  { width: 1440, height: 900 },
];

let senders = 0;

/** Sends a message as somebody else each time: nobody may send more than five in an hour. */
async function sendMessage(page: Page): Promise<void> {
  senders += 1;
  await page.locator('[name=name]').fill('Grace Hopper');
  await page.locator('[name=email]').fill(`grace.${senders}@example.org`);
  await page.locator('[name=message]').fill('Hello');
  await page.locator('main form button[type=submit]').click();
  await page.clock.fastForward(SENDING_MS);
}

/** Returns the box of a notice once its animations have ended. */
async function boxOf(notice: Locator) {
  await expect(notice).toBeVisible();
  await notice.evaluate((element) =>
    Promise.allSettled(element.getAnimations().map((animation) => animation.finished)),
  );
  const box = await notice.boundingBox();
  if (!box) throw new Error('The notice has no box.');
  return box;
}

test('the first area of notices is at the top centre and has one notice, for 5 s or until it is closed', async ({
  page,
}) => {
  await page.setViewportSize(WINDOW);
  await page.clock.install();
  const visitor = new Visitor(page);
  await visitor.open('/contact');
  await sendMessage(page);
  const notice = page.locator('[data-area=top-center] .notice');
  const box = await boxOf(notice);
  const [left, right] = [box.x, WINDOW.width - box.x - box.width];
  expect(Math.abs(left - right), 'as far from the left as from the right').toBeLessThan(WINDOW.width / 100);
  expect(box.y + box.height, 'in the upper half').toBeLessThan(WINDOW.height / 2);
  await sendMessage(page);
  await expect(notice).toHaveCount(1);
  await expect(notice).toContainText(visitor.m.contact.sent);
  await page.clock.fastForward(5_000);
  await expect(notice).toHaveCount(0);
  await sendMessage(page);
  await notice.getByRole('button', { name: visitor.m.layout.closeNotice }).click();
  await expect(notice).toHaveCount(0);
});

test('the second area of notices is at the top right, 356 px wide, with three notices for 4 s each', async ({
  page,
  journal,
}) => {
  await page.setViewportSize(WINDOW);
  await page.clock.install();
  const postId = await writePost(journal.server, await signUp(journal.server));
  const visitor = new Visitor(page);
  await visitor.open(`/post/${postId}`);
  const notices = page.locator('[data-area=top-right] .notice');
  await visitor.likeButton.click();
  await expect(notices).toHaveCount(1);
  const box = await boxOf(notices.first());
  expect(box.width).toBe(356);
  expect(box.x, 'in the right half').toBeGreaterThan(WINDOW.width / 2);
  expect(box.y + box.height, 'in the upper half').toBeLessThan(WINDOW.height / 2);
  for (let presses = 0; presses < 4; presses += 1) await visitor.likeButton.click();
  await expect(notices).toHaveCount(3);
  await page.mouse.move(10, 800);
  await page.clock.runFor(4_000);
  await expect(notices).toHaveCount(0);
});

test('a notice that is shown follows when the reader chooses another language', async ({ page, journal }) => {
  await page.clock.install();
  const visitor = new Visitor(page);
  const german = new Visitor(page, 'de').m;
  /** A notice stays while the pointer is over it, so the language is chosen without it. */
  const chooseGermanOver = async (notice: Locator) => {
    await notice.hover();
    await page
      .locator('header')
      .getByRole('link', { name: 'Deutsch', includeHidden: true })
      .evaluate((link: HTMLElement) => link.click());
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  };
  await visitor.open('/contact');
  await sendMessage(page);
  const first = page.locator('[data-area=top-center] .notice');
  await expect(first).toContainText(visitor.m.contact.sent);
  await chooseGermanOver(first);
  await expect(first).toContainText(german.contact.sent);
  await expect(first).toContainText(german.contact.sentDescription);

  await visitor.open(`/post/${await writePost(journal.server, await signUp(journal.server))}`);
  await visitor.likeButton.click();
  const second = page.locator('[data-area=top-right] .notice');
  await expect(second).toContainText(visitor.m.post.like.signInFirst);
  await chooseGermanOver(second);
  await expect(second).toContainText(german.post.like.signInFirst);
  await expect(second.getByRole('button', { name: german.post.comments.signIn })).toBeVisible();
});

/** Tops of the button of a deletion before the notice appears, in pixels: below the header, and where it was. */
const TOPS = [-20, 20, 76, 110];

for (const size of WINDOWS) {
  test(`at ${size.width} px, a notice on a scrolled page lies over no control wherever its owner has scrolled to`, async ({
    page,
    journal,
  }) => {
    await page.setViewportSize(size);
    const { author, visitor } = await signInOn(page, journal.server);
    await visitor.open(`/post/${await writePost(journal.server, author)}`);
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.resolve();
    });
    const remove = page.getByRole('button', { name: visitor.m.post.delete.open, exact: true });
    const copy = page.getByRole('menuitem', {
      name: visitor.m.post.share.copyLink,
      includeHidden: true,
    });
    const notice = page.locator('[data-area=top-right] .notice');
    for (const top of TOPS) {
      await remove.evaluate((button, y) => window.scrollBy(0, button.getBoundingClientRect().top - y), top);
      // Not by the pointer, which would scroll the page.
      await copy.evaluate((item: HTMLElement) => item.click());
      // A notice stays while the pointer is over it.
      await notice.hover();
      await boxOf(notice);
      await expect.poll(() => coveredControls(page), `${top} px from the top`).toEqual([]);
      await notice.getByRole('button', { name: visitor.m.layout.closeNotice }).press('Enter');
      await expect(notice).toHaveCount(0);
    }
  });
}

test('a notice that comes while somebody presses moves the page only after the release', async ({
  page,
  journal,
}) => {
  await page.setViewportSize(WINDOW);
  const { author, visitor } = await signInOn(page, journal.server);
  await visitor.open(`/post/${await writePost(journal.server, author)}`);
  const { open } = visitor.m.post.delete;
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.resolve();
  });
  const remove = page.getByRole('button', { name: open, exact: true });
  await remove.evaluate((button) => window.scrollBy(0, button.getBoundingClientRect().top - 20));
  // Notices stay where they are while somebody presses: at the top, once the header has left.
  await expect(page.locator('header[data-away]')).toHaveCount(1);
  await page.locator('.notice-areas').evaluate(async (areas) => {
    await Promise.allSettled(areas.getAnimations().map(({ finished }) => finished));
  });
  await page.mouse.move(10, 600);
  await page.mouse.down();
  const copy = page.getByRole('menuitem', { name: visitor.m.post.share.copyLink, includeHidden: true });
  // By the keyboard, as it were: the pointer is down elsewhere.
  await copy.evaluate((item: HTMLElement) => item.click());
  await boxOf(page.locator('.notice').first());
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await coveredControls(page), 'while pressed').toContain(open);
  await page.mouse.up();
  await expect.poll(() => coveredControls(page), 'after the release').toEqual([]);
});

test('a notice stays below the pointer that presses it while the header leaves', async ({
  page,
  journal,
}) => {
  await page.setViewportSize({ width: 1280, height: 420 });
  const postId = await writePost(journal.server, await signUp(journal.server));
  const visitor = new Visitor(page);
  await visitor.open(`/post/${postId}`);
  await visitor.likeButton.click();
  const notice = page.locator('[data-area=top-right] .notice');
  await boxOf(notice);
  const close = notice.getByRole('button', { name: visitor.m.layout.closeNotice });
  /** Scrolls to a place, and waits until the header and the notices are where they are then. */
  const scrollTo = async (top: number, headersAway: number) => {
    await page.evaluate((to) => window.scrollTo(0, to), top);
    await expect(page.locator('header[data-away]')).toHaveCount(headersAway);
    await close.evaluate(async (button) => {
      const areas = button.closest('.notice-areas');
      await Promise.allSettled(areas?.getAnimations().map(({ finished }) => finished) ?? []);
    });
  };
  await scrollTo(0, 0);
  await close.hover();
  await page.mouse.down();
  await scrollTo(300, 1);
  await page.mouse.up();
  await expect(notice).toHaveCount(0);
});

test('both areas are on a page from the start, and their code is loaded once its reader uses it', async ({
  page,
  journal,
}) => {
  const scripts: string[] = [];
  page.on('requestfinished', (request) => {
    if (/notice-area-/.test(request.url())) scripts.push(request.url());
  });
  const visitor = new Visitor(page);
  await visitor.open(`/post/${await writePost(journal.server, await signUp(journal.server))}`);
  await expect(page.getByRole('region', { name: visitor.m.layout.notices })).toHaveCount(2);
  await page.waitForLoadState('networkidle');
  expect(scripts).toEqual([]);
  const afterKey = async () => {
    await page.keyboard.press('Tab');
    return scripts;
  };
  await expect.poll(afterKey).toHaveLength(1);
});

/** Returns the words of the controls in the window that lie below a notice, even in part. */
function coveredControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = [
      ...document.querySelectorAll<HTMLElement>('header :is(a, button, summary), main :is(a, button)'),
    ];
    const notices = [...document.querySelectorAll('.notice-areas li')].map((notice) =>
      notice.getBoundingClientRect(),
    );
    const visible = controls.filter((control) => control.checkVisibility({ visibilityProperty: true }));
    return visible.flatMap((control) => {
      const { left, right, top, bottom } = control.getBoundingClientRect();
      const isCovered = notices.some(
        (notice) => left < notice.right && right > notice.left && top < notice.bottom && bottom > notice.top,
      );
      return isCovered ? [control.textContent ?? ''] : [];
    });
  });
}

for (const size of WINDOWS) {
  test(`at ${size.width} px, notices of both areas cover no controls and can be closed`, async ({
    page,
    journal,
    consoleErrors,
  }) => {
    await page.setViewportSize(size);
    const { author, visitor } = await signInOn(page, journal.server);
    await page.clock.install();
    await visitor.open('/contact');
    await sendMessage(page);
    const first = page.locator('[data-area=top-center] .notice');
    // A notice stays while the pointer is over it.
    await first.hover();
    await boxOf(first);
    await page.evaluate(() => window.scrollTo(0, 0));
    expect(await coveredControls(page)).toEqual([]);
    await first.getByRole('button', { name: visitor.m.layout.closeNotice }).click();
    await expect(first).toHaveCount(0);

    await visitor.open(`/post/${await writePost(journal.server, author)}`);
    await page.getByRole('button', { name: visitor.m.post.delete.open, exact: true }).click();
    await page.route(CALLS.posts, (route) => route.fulfill({ status: 500, json: {} }));
    await page.getByRole('button', { name: visitor.m.post.delete.confirm, exact: true }).click();
    const second = page.locator('[data-area=top-right] .notice');
    await boxOf(second);
    await page.getByRole('button', { name: visitor.m.post.delete.cancel }).click();
    await second.hover();
    expect(await coveredControls(page)).toEqual([]);
    await second.getByRole('button', { name: visitor.m.layout.closeNotice }).click();
    await expect(second).toHaveCount(0);
    await page.unroute(CALLS.posts);
    expectConsoleErrors(consoleErrors, /status of 500/);

    // Scrolled: the control that has the focus comes out from below the notice.
    await visitor.open('/admin');
    await visitor.publishButton.click();
    const box = await boxOf(page.locator('[data-area=top-right] .notice'));
    const focused = page.locator('input[type=file]');
    await expect(focused).toBeFocused();
    await expect.poll(async () => ((await focused.boundingBox())?.y ?? 0) >= box.y + box.height).toBe(true);
  });
}

test('a notice on a scrolled page leaves the controls of the page and of the header uncovered', async ({
  page,
  journal,
}) => {
  await page.setViewportSize({ width: 1024, height: 320 });
  const visitor = new Visitor(page);
  await visitor.open(`/post/${await writePost(journal.server, await signUp(journal.server))}`);
  const notice = page.locator('[data-area=top-right] .notice');
  const { like } = visitor.m.post;
  await visitor.likeButton.evaluate((button) => window.scrollBy(0, button.getBoundingClientRect().top - 4));
  await visitor.likeButton.press('Enter');
  await boxOf(notice);
  await expect(notice).toContainText(like.signInFirst);
  await expect.poll(() => coveredControls(page)).toEqual([]);
  expect(await page.evaluate(() => window.scrollY), 'still scrolled').toBeGreaterThan(0);
  // The header comes back when the reader scrolls up.
  await page.mouse.move(10, 200);
  await page.mouse.wheel(0, -40);
  await expect(page.getByRole('banner')).toBeInViewport({ ratio: 1 });
  await expect.poll(() => coveredControls(page)).not.toContain(visitor.m.layout.signIn);
});
