/**
 * Runs all attacks, prints a table, and ends with 1 when something was weak: `npm run test:attacks`. The words behind it
 * choose classes by parts of their names, as in `npm run test:attacks -- tokens policies`.
 */
import { type AttackClass, type ClassResult, presentResults, runAttacks } from './attack.ts';
import { GENERATED, generated } from './classes/generated.ts';
import { guessing } from './classes/guessing.ts';
import { LIMITED, limitedClasses, unlimitedClasses } from './classes.ts';
import { startTarget, type Target } from './target.ts';

/** Connections of each kind of slow client: 2,000 in all. */
const SLOW_EACH = 250;
/** Generated requests of each class. */
const GENERATED_EACH = 10_000;
/** Weaknesses that are printed of a class. */
const SHOWN = 25;

/** Milliseconds after which a target's tokens end, and attacks by accounts are refused for that alone. */
const TOKENS_END_MS = 900_000;

const wanted = process.argv.slice(2);
const results: ClassResult[] = [];

async function runAll(classes: readonly AttackClass[]): Promise<void> {
  const started = performance.now();
  for (const one of classes) {
    if (wanted.length > 0 && !wanted.some((word) => one.name.includes(word))) continue;
    const result = await runAttacks(one);
    results.push(result);
    print(
      `${result.name}: ${result.tried} tried, ${result.weak.length} weak, ${result.seconds.toFixed(1)} s`,
    );
    for (const sentence of one.measured ?? []) print(`  ${sentence}`);
    for (const weakness of result.weak.slice(0, SHOWN)) print(`  weak: ${weakness}`);
  }
  if (performance.now() - started > TOKENS_END_MS)
    throw new Error('The tokens have ended: run fewer classes.');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Starts a server, makes the attacks at it, and ends it. */
async function attackServer(
  settings: Record<string, string>,
  classesOf: (target: Target) => Promise<readonly AttackClass[]>,
): Promise<void> {
  const target = await startTarget(settings);
  await runAll(await classesOf(target));
  await target.close();
}

await attackServer({}, (target) => unlimitedClasses(target));
// Together, the generated ones take longer than tokens last.
for (const name of GENERATED) {
  await attackServer({}, async (target) => {
    return (await generated(target, GENERATED_EACH)).filter((one) => one.name === name);
  });
}
await attackServer(LIMITED, async (target) => [
  guessing(target),
  ...limitedClasses(target, { each: SLOW_EACH }),
]);

print(`\n${presentResults(results)}`);
process.exit(results.some(({ weak }) => weak.length > 0) ? 1 : 0);
