import { expect, it } from 'vitest';
import { createPasswordHasher } from './password-hasher.ts';

const standard = createPasswordHasher();
const cheap = createPasswordHasher({ cost: { memory: 8, passes: 1, parallelism: 1 } });

it('a password is hashed with OWASP’s cost by default', async () => {
  expect(await standard.hash('quiet violet lantern')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

it('a password is checked with the cost that it was hashed with', async () => {
  const kept = await standard.hash('quiet violet lantern');
  expect(await cheap.verify('quiet violet lantern', kept)).toBe(true);
  expect(await cheap.verify('quiet violet lanterns', kept)).toBe(false);
  expect(await standard.verify('quiet violet lantern', await cheap.hash('quiet violet lantern'))).toBe(true);
  for (const none of [null, undefined, '', 'quiet violet lantern']) {
    expect(await standard.verify('quiet violet lantern', none)).toBe(false);
  }
});

it('of passwords from 200 networks at once 32 wait, and that of a known browser is checked before them', async () => {
  const hasher = createPasswordHasher({ cost: { memory: 8, passes: 1, parallelism: 1 }, atOnce: 1 });
  const ends: string[] = [];
  const check = async (key: string, urgent: boolean) => {
    const result = await hasher.verify('a guess', null, { key, urgent }).catch((error: unknown) => error);
    if (result !== false) expect(result).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 5 });
    if (result === false) ends.push(key);
  };
  const all = Array.from({ length: 200 }, (_, n) => check(`10.0.${n}.0/24`, false));
  all.push(check('of the owner', true), check('10.0.1.0/24', false));
  await Promise.all(all);
  expect(ends[1]).toBe('of the owner');
  expect(ends).toHaveLength(1 + 1 + 32 + 1);
  // The second call of a network waits for the first ones of all others.
  expect(ends.at(-1)).toBe('10.0.1.0/24');
});
