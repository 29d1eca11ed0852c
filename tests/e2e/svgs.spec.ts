import { DISARMED } from '@fabrica/backend/testing/storage/hostile-svgs.ts';
import { expect, type Page } from '@playwright/test';
import { sanitiseSvg } from '../../packages/backend/src/services/storage/svg/sanitise-svg.ts';
import { watchedTest as test } from './watched-test.ts';

const HOST = 'http://drawings.example';

// Both hosts are answered by the test itself.
test.use({ plannedHosts: ['drawings.example', 'evil.example'] });

/** A page with a frame for each drawing, as a document of its own and written into a page; answers what they did. */
async function openAll(page: Page, drawings: readonly string[]): Promise<string[]> {
  const happened: string[] = [];
  page.on('dialog', (dialog) => {
    happened.push(`ran ${dialog.message()}`);
    // The next drawing’s may have taken its place.
    dialog.dismiss().catch(() => undefined);
  });
  const frames = drawings.flatMap((_, index) =>
    ['alone', 'inline'].map((form) => `<iframe src="/${form}/${index}"></iframe>`),
  );
  await page.route('**/*', (route) => {
    const address = new URL(route.request().url());
    if (address.href === `${HOST}/`) {
      return route.fulfill({ body: frames.join(''), contentType: 'text/html' });
    }
    const [, form, index] = /^\/(alone|inline)\/(\d+)$/.exec(address.pathname) ?? [];
    const body = drawings[Number(index)];
    if (address.origin === HOST && body !== undefined) {
      return route.fulfill({ body, contentType: form === 'alone' ? 'image/svg+xml' : 'text/html' });
    }
    if (!address.pathname.endsWith('/favicon.ico')) {
      happened.push(`${route.request().frame().url()} asked for ${address}`);
    }
    return route.abort();
  });
  await page.goto(`${HOST}/`);
  await page.evaluate(touchEverything);
  return happened;
}

/** What a reader may do, to every element of every frame that is still of the page's origin; then two frames' time. */
async function touchEverything(): Promise<void> {
  for (const { contentDocument } of document.querySelectorAll('iframe')) {
    for (const element of contentDocument?.querySelectorAll('*') ?? []) {
      for (const name of ['mouseover', 'focus', 'click']) element.dispatchEvent(new MouseEvent(name));
    }
  }
  for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** What stands in each frame now. */
function countShown() {
  return Array.from(document.querySelectorAll('iframe'), ({ src, contentDocument }) => ({
    src,
    circles: contentDocument?.querySelectorAll('svg circle#c').length,
    errors: contentDocument?.querySelectorAll('parsererror').length,
  }));
}

/** What the sanitiser lets through, in a browser without any of the headers that protect it as well. */
test('a sanitised SVG is shown, runs no script and loads nothing', async ({ page }) => {
  const happened = await openAll(
    page,
    DISARMED.map(({ svg }) => sanitiseSvg(svg)),
  );
  const frames = await page.evaluate(countShown);
  expect(frames).toHaveLength(2 * DISARMED.length);
  for (const { src, ...shown } of frames) expect(shown, src).toEqual({ circles: 1, errors: 0 });
  expect(happened).toEqual([]);
});

test('the same SVGs run scripts and load resources before they are sanitised', async ({
  page,
  consoleErrors,
}) => {
  const happened = await openAll(
    page,
    DISARMED.map(({ svg }) => svg),
  );
  await expect.poll(() => happened.filter((event) => event.startsWith('ran')).length).toBeGreaterThan(5);
  expect(happened.filter((event) => event.includes('asked for')).length).toBeGreaterThan(5);
  consoleErrors.length = 0;
});
