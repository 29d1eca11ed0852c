import { DISARMED } from '@fabrica/backend/testing/storage/hostile-svgs.ts';
import type { Page } from '@playwright/test';
import { sanitiseSvg } from '../../../packages/backend/src/services/storage/svg/sanitise-svg.ts';
import { expect, test } from '../journal.ts';

const HOST = 'http://svgs.example';

// The test itself handles the requests to both hosts.
test.use({ plannedHosts: ['svgs.example', 'evil.example'] });

/**
 * Opens a page with two frames for each SVG, one with the SVG as a document and one with it inline. Returns the events that
 * the SVGs cause.
 */
async function openAll(page: Page, svgs: readonly string[]): Promise<string[]> {
  const events: string[] = [];
  page.on('dialog', (dialog) => {
    events.push(`ran ${dialog.message()}`);
    // The dialog of the next SVG may have replaced this one.
    dialog.dismiss().catch(() => undefined);
  });
  const frames = svgs.flatMap((_, index) =>
    ['alone', 'inline'].map((form) => `<iframe src="/${form}/${index}"></iframe>`),
  );
  await page.route('**/*', (route) => {
    const url = new URL(route.request().url());
    if (url.href === `${HOST}/`) {
      return route.fulfill({ body: frames.join(''), contentType: 'text/html' });
    }
    const [, form, index] = /^\/(alone|inline)\/(\d+)$/.exec(url.pathname) ?? [];
    const body = svgs[Number(index)];
    if (url.origin === HOST && body !== undefined) {
      return route.fulfill({ body, contentType: form === 'alone' ? 'image/svg+xml' : 'text/html' });
    }
    if (!url.pathname.endsWith('/favicon.ico')) {
      events.push(`${route.request().frame().url()} asked for ${url}`);
    }
    return route.abort();
  });
  await page.goto(`${HOST}/`);
  await page.evaluate(dispatchEvents);
  return events;
}

/** Dispatches the events of a reader to every element of every frame of the page's origin, and waits for two frames. */
async function dispatchEvents(): Promise<void> {
  for (const { contentDocument } of document.querySelectorAll('iframe')) {
    for (const element of contentDocument?.querySelectorAll('*') ?? []) {
      for (const name of ['mouseover', 'focus', 'click']) element.dispatchEvent(new MouseEvent(name));
    }
  }
  for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Counts the circles and parser errors in each frame. */
function countShown() {
  return Array.from(document.querySelectorAll('iframe'), ({ src, contentDocument }) => ({
    src,
    circles: contentDocument?.querySelectorAll('svg circle#c').length,
    errors: contentDocument?.querySelectorAll('parsererror').length,
  }));
}

/** The browser gets the sanitised SVGs without the headers that protect it as well. */
test('a sanitised SVG is shown, runs no script and loads nothing', async ({ page }) => {
  const events = await openAll(
    page,
    DISARMED.map(({ svg }) => sanitiseSvg(svg)),
  );
  const frames = await page.evaluate(countShown);
  expect(frames).toHaveLength(2 * DISARMED.length);
  for (const { src, ...shown } of frames) expect(shown, src).toEqual({ circles: 1, errors: 0 });
  expect(events).toEqual([]);
});
