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
