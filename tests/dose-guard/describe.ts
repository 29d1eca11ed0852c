/** Prints what the dose guard notices and what it finds fault with: `npm run dose-guard`, with `--faults` for each fault. */
import { cpus } from 'node:os';
import { recogniseOther } from '../../apps/journal/project/recognise-language.ts';
import { compareSegments } from '../../packages/dose-guard/src/index.ts';
import { type Count, type Measured, measure, share } from './measure.ts';
import { ERRORS, measureCorrect, measureFresh } from './read-fresh.ts';
import { type Pair, pairsOf, readSentences, type Sentence } from './read-sentences.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);
const percent = (count: Count) => `${(share(count) * 100).toFixed(2)} % of ${count.all}`;
const falseAlarms = ({ right, all }: Count) => percent({ right: all - right, all });

function describe(title: string, pairs: readonly Pair[]): void {
  const measured = measure(pairs);
  print(`\n## ${title}: ${pairs.length} pairs\n`);
  print(`- errors in numbers that are blocked: ${percent(measured.blocked)}`);
  print(`- other errors that are noticed: ${percent(measured.warned)}`);
  print(`- correct pairs that are blocked: ${falseAlarms(measured.silent)}`);
  print(`- correct pairs with any finding: ${falseAlarms(measured.quiet)}\n`);
  print('| error | noticed |\n|---|---|');
  for (const [kind, count] of measured.byKind) print(`| ${kind} | ${percent(count)} |`);
  print('\n| direction | errors noticed | correct pairs blocked |\n|---|---|---|');
  for (const [direction, { caught, silent }] of measured.byDirection) {
    print(`| ${direction} | ${percent(caught)} | ${falseAlarms(silent)} |`);
  }
  if (process.argv.includes('--faults')) printFaults(measured);
}

function printFaults({ faults }: Measured): void {
  for (const { pair, error, findings } of faults) {
    const found = findings.map(
      ({ kind, source, target }) => `${kind}: ${source?.text ?? '–'} → ${target?.text ?? '–'}`,
    );
    print(
      `\n${error?.kind ?? 'correct'}\n  ${pair.source.text}\n  ${error?.text ?? pair.target.text}\n  ${found.join('; ')}`,
    );
  }
}

/** Joins sentences of one direction to segments of a hundred words. */
function longSegments(pairs: readonly Pair[]): Pair[] {
  const directions = Map.groupBy(pairs, ({ source, target }) => `${source.language} ${target.language}`);
  return [...directions.values()].flatMap((same) => {
    const segments: Pair[] = [];
    for (let at = 0; at + 8 <= same.length; at += 8) {
      const group = same.slice(at, at + 8);
      const [first] = group;
      if (!first) continue;
      const join = (side: 'source' | 'target') => ({
        ...first[side],
        text: group.map((pair) => pair[side].text).join(' '),
      });
      segments.push({ ...first, source: join('source'), target: join('target') });
    }
    return segments;
  });
}

/** Prints the best of five times for each segment: others are those of what else the machine does. */
function describeSpeed(title: string, pairs: readonly Pair[]): void {
  const timeOf = ({ source, target }: Pair) => {
    const started = performance.now();
    compareSegments(source, target, { recogniseOther });
    return performance.now() - started;
  };
  const times = pairs.map((pair) => Math.min(...[1, 2, 3, 4, 5].map(() => timeOf(pair))));
  times.sort((one, other) => one - other);
  const at = (part: number) => `${(times[Math.floor((times.length - 1) * part)] ?? 0).toFixed(2)} ms`;
  const words = pairs.reduce((sum, { source }) => sum + source.text.split(' ').length, 0) / pairs.length;
  print(`| ${title} (${words.toFixed(0)} words) | ${at(0.5)} | ${at(0.95)} | ${at(1)} |`);
}

/** Prints what the guard makes of errors and translations by others: `fresh/`. */
function describeFresh(): void {
  print('\n## Written by others\n\n| set | errors caught | right ones held |\n|---|---|---|');
  const sets = ERRORS.map((name) => ({ name, ...measureFresh(name) }));
  for (const { name, caught, passed } of sets)
    print(`| ${name} | ${percent(caught)} | ${falseAlarms(passed)} |`);
  print(`| idiomatic | | ${falseAlarms(measureCorrect().passed)} |`);
  print(`\n| error | ${ERRORS.join(' | ')} |\n|---|${'---|'.repeat(ERRORS.length)}`);
  const of = (count: Count | undefined) => (count ? `${count.right} of ${count.all}` : '–');
  for (const kind of new Set(sets.flatMap(({ byKind }) => [...byKind.keys()])))
    print(`| ${kind} | ${sets.map(({ byKind }) => of(byKind.get(kind))).join(' | ')} |`);
}

const sentences = readSentences();
const inSet = (set: Sentence['set']) => pairsOf(sentences.filter((sentence) => sentence.set === set));
const own = inSet('public');
describeFresh();
describe('The public set', own);
describe('Held out', inSet('held-out'));
describe('Written in later rounds', inSet('rounds'));
print(`\n## Time a segment, on ${cpus()[0]?.model}\n\n| segment | p50 | p95 | max |\n|---|---|---|---|`);
describeSpeed('a sentence', own);
describeSpeed('a paragraph', longSegments(own));
