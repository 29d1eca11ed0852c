import { expect, it } from 'vitest';
import { createReadiness } from './readiness.ts';

const works = async () => undefined;
const fails = async () => {
  throw new Error('It is away.');
};
const never = () => new Promise<undefined>(() => undefined);

it.each([
  ['works', { check: works }, 'ok', 'ok'],
  ['works, with a remark', { check: async () => 'It is slow.' }, 'degraded', 'It is slow.'],
  ['fails', { check: fails }, 'degraded', 'It is away.'],
  ['does not respond', { check: never }, 'degraded', 'There was no response within 0.01 s.'],
  ['fails, and is required', { check: fails, isRequired: true }, 'unavailable', 'It is away.'],
  [
    'fails and is required, but something stands in for it',
    { check: fails, isRequired: true, fallback: async () => 'A copy is read.' },
    'degraded',
    'A copy is read.',
  ],
  [
    'fails and is required, as does what stands in for it',
    { check: fails, isRequired: true, fallback: async () => Promise.reject(new Error('The copy too.')) },
    'unavailable',
    'It is away.',
  ],
])('a process whose part %s', async (_, check, status, part) => {
  const readiness = createReadiness({ checks: [{ name: 'part', ...check }], timeoutMs: 10 });
  expect(await readiness.read()).toEqual({ status, parts: { part } });
});

it('parts are looked at once for all that ask within a second', async () => {
  let [looks, time] = [0, 0];
  const check = async () => {
    looks += 1;
    return undefined;
  };
  const readiness = createReadiness({ checks: [{ name: 'part', check }], now: () => time });
  await Promise.all([readiness.read(), readiness.read()]);
  expect(looks).toBe(1);
  time = 1_000;
  await readiness.read();
  expect(looks).toBe(2);
});

it('a part that has just stopped to respond delays nobody: the result before is returned until there is a new one', async () => {
  let time = 0;
  let check = works;
  const checks = [{ name: 'part', check: () => check() }];
  const readiness = createReadiness({ checks, now: () => time, waitMs: 10, timeoutMs: 60 });
  await readiness.read();
  time = 1_000;
  check = never;
  expect(await readiness.read()).toEqual({ status: 'ok', parts: { part: 'ok' } });
  await expect.poll(async () => (await readiness.read()).status).toBe('degraded');
  time = 2_000;
  expect((await readiness.read()).status).toBe('degraded');
});
