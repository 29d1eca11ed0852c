import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AttackClass, runAttacks } from './attack.ts';
import { GENERATED, generated } from './classes/generated.ts';
import { LIMITED, limitedClasses, unlimitedClasses } from './classes.ts';
import { forgottenSchemas } from './fuzzed-routes.ts';
import { startTarget, type Target } from './target.ts';

/** A cross-section: every so many of the attempts that `npm run test:attacks` makes. */
const STEP = 11;
const FLOOD_STEP = 3;
const GENERATED_EACH = 50;
const SLOW = { each: 10, holdMs: 1_500 };

const targets: Target[] = [];
const classes = new Map<string, AttackClass>();

beforeAll(async () => {
  const [unlimited, limited] = await Promise.all([startTarget(), startTarget(LIMITED)]);
  targets.push(unlimited, limited);
  const all = [
    ...(await unlimitedClasses(unlimited, STEP)),
    ...(await generated(unlimited, GENERATED_EACH)),
    ...limitedClasses(limited, SLOW, FLOOD_STEP),
  ];
  for (const one of all) classes.set(one.name, one);
});
afterAll(() => Promise.all(targets.map((target) => target.close())));

describe('a cross-section of the attacks', () => {
  it.each([
    'forged tokens',
    'row policies',
    'things of others',
    'other sites',
    'scripts in pages',
    'injected texts',
    'paths to other files',
    'smuggled requests',
    'hostile files',
    'requests to private hosts',
    'fuzzed calls',
    'websockets',
    ...GENERATED,
    'floods',
    'slow clients',
  ])('finds nothing weak: %s', async (name) => {
    const { tried, weak } = await runAttacks(classes.get(name) as AttackClass);
    expect(weak).toEqual([]);
    expect(tried).toBeGreaterThan(4);
  });
});

it('the fuzzer knows every call that takes a schema of the contract', () => {
  expect(forgottenSchemas()).toEqual([]);
});
