import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildDocument, openTestDesk, type Person, type TestDesk } from '../testing/open-test-desk.ts';

const OWN = 'http://localhost';
const SEED = 20_261;

let desk: TestDesk;
let ada: Person;
beforeAll(async () => {
  desk = await openTestDesk();
  ada = await desk.person('Ada', 'author');
});
afterAll(() => desk.close());

const often = (usual: string[], odd: string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...usual) }, fc.constantFrom(...odd));
const oddity = often(
  [''],
  ['\\', '\t', '\n', '@', 'x@', '\\@', '%2f', '%5c', '#', '?', '..', ':', ' ', '\0', '"', '\u2028'],
);
const url = fc
  .tuple(
    often(
      ['', 'http:', 'https:'],
      ['HTTP:', ' http:', 'ht\ntp:', 'javascript:', 'data:', 'ftp:', 'blob:http:'],
    ),
    often(['/', '//'], ['', '/\\', '\\\\', '///', '/./', '/%2f', '/\t/']),
    oddity,
    often(
      ['localhost', 'evil.example', 'storage'],
      ['localhost.evil.example', 'localhost:81', 'evil.example@localhost', '127.0.0.1'],
    ),
    oddity,
    often(
      ['/storage/journal/posts/1.png', '/x.png'],
      ['', '//evil.example/x.png', '/\\evil.example', '/../..//evil.example'],
    ),
  )
  .map((parts) => parts.join(''));

/** Returns whether browsers and strict readers of feeds both load this from the journal's own site. */
function isOwn(text: string): boolean {
  const [, authority] = /^(?:https?:)?\/\/([^/?#]*)/i.exec(text) ?? [];
  const strictly = authority === undefined || /^(?:[^\\]*@)?localhost$/i.test(authority);
  return strictly && !/[\s\\\p{Cc}]/u.test(text) && URL.parse(text, OWN)?.origin === OWN;
}

it('of 300 generated addresses of covers and pictures, no published one is loaded from another site', async () => {
  const weak: string[] = [];
  let accepted = 0;
  const check = (status: number, text: string, where: string) => {
    expect([200, 201, 400]).toContain(status);
    if (status === 400) return;
    accepted += 1;
    if (!isOwn(text)) weak.push(`${where} ${JSON.stringify(text)}`);
  };
  for (const [index, text] of fc.sample(url, { numRuns: 300, seed: SEED }).entries()) {
    const picture = { url: text, width: 8, height: 8 };
    const row = {
      id: `post_${index}`,
      user_id: ada.id,
      title: 'x',
      content: 'x',
      image_url: '/storage/journal/x.png',
    };
    const rows = [
      ['image_url', { ...row, image_url: text }],
      ['pictures', { ...row, id: `post_p${index}`, pictures: JSON.stringify([picture]) }],
    ] as const;
    for (const [field, body] of rows) {
      const { status } = await desk.call(ada, 'POST', '/api/db/journal/rest/v1/journal_posts', { body });
      check(status, text, field);
    }
    for (const changes of [{ cover: picture }, { pictures: [picture] }]) {
      const document = { ...buildDocument(), ...changes };
      const { status, body } = await desk.call(ada, 'POST', 'posts', { body: { document } });
      if (status !== 201) continue;
      const published = await desk.call(ada, 'POST', `posts/${body.id}/publish`, { version: 1, body: {} });
      check(published.status, text, `on the desk, ${Object.keys(changes)}`);
    }
  }
  expect(weak).toEqual([]);
  expect(accepted).toBeGreaterThan(100);
});
