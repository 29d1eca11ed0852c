import { expect, type Frame, type Page, test } from '@playwright/test';
import { sanitiseSvg } from '../../packages/backend/src/storage/sanitise-svg.ts';
import { DISARMED } from '../hostile-drawings.ts';

const HOST = 'http://drawings.example';

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
  for (const frame of page.frames().slice(1)) await frame.evaluate(touchEverything).catch(() => undefined);
  return happened;
}

function touchEverything(): void {
  for (const element of document.querySelectorAll('*')) {
    for (const name of ['mouseover', 'focus', 'click']) element.dispatchEvent(new MouseEvent(name));
  }
}

async function shownIn(frame: Frame): Promise<{ circles: number; errors: number }> {
  return {
    circles: await frame.locator('svg circle#c').count(),
    errors: await frame.locator('parsererror').count(),
  };
}

/** What the sanitiser lets through, in a browser without any of the headers that protect it as well. */
test('a sanitised drawing is shown, and runs and loads nothing', async ({ page }) => {
  const happened = await openAll(
    page,
    DISARMED.map(({ svg }) => sanitiseSvg(svg)),
  );
  const frames = page.frames().slice(1);
  expect(frames).toHaveLength(2 * DISARMED.length);
  for (const frame of frames) {
    expect(await shownIn(frame), frame.url()).toEqual({ circles: 1, errors: 0 });
  }
  expect(happened).toEqual([]);
});

test('the same drawings do run and load as they were sent', async ({ page }) => {
  const happened = await openAll(
    page,
    DISARMED.map(({ svg }) => svg),
  );
  await expect.poll(() => happened.filter((event) => event.startsWith('ran')).length).toBeGreaterThan(5);
  expect(happened.filter((event) => event.includes('asked for')).length).toBeGreaterThan(5);
});
