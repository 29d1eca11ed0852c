/**
 * Prints how many errors a model finds as a second reader, alone and with the guard: `npm run dose-guard -- --judge URL --model NAME`, with
 * `--pairs 400` for other than 300 pairs of a set of sentences. The key of the endpoint is read from AI_API_KEY. Nothing is stored.
 */
import { parseArgs } from 'node:util';
import { type Count, share } from './measure.ts';
import {
  askEndpoint,
  type Held,
  type MeasuredJudge,
  measuredSetting,
  measureJudge,
  samplePairs,
} from './measure-judge.ts';
import { readCorrect, readErrors } from './read-fresh.ts';
import { pairsOf, readSentences } from './read-sentences.ts';

const { values } = parseArgs({
  options: {
    judge: { type: 'string' },
    model: { type: 'string' },
    pairs: { type: 'string', default: '300' },
  },
});
const { env } = process;
const model = values.model ?? env.AI_JUDGE_MODEL ?? env.AI_TEXT_MODEL;
if (!values.judge || !model)
  throw new Error('Name an endpoint and a model: --judge http://localhost:11434/v1 --model gemma3');
const generate = askEndpoint(values.judge, model, env.AI_API_KEY);

const print = (line: string) => process.stdout.write(`${line}\n`);
const percent = (count: Count) =>
  count.all === 0 ? '–' : `${(share(count) * 100).toFixed(1)} % of ${count.all}`;

function describe(title: string, { judge, guard, both, articles, unread, characters }: MeasuredJudge): void {
  print(`\n## ${title}\n\n| held by | of wrong translations | of right translations |\n|---|---|---|`);
  const row = (name: string, { caught, falseAlarms }: Held) =>
    print(`| ${name} | ${percent(caught)} | ${percent(falseAlarms)} |`);
  row('the guard', guard);
  row(model ?? '', judge);
  row('both: the model may clear doubts, and never a block', both);
  print(
    `\n- right articles of 12 sentences that pass whole: ${percent(articles.guard)} by the guard, ${percent(articles.both)} by both`,
  );
  print(`- without a verdict that counts: ${percent(unread)}`);
  print(
    `- characters of all calls: ${(characters.calls / Math.max(1, characters.texts)).toFixed(2)} times those of the texts`,
  );
}

const figures: MeasuredJudge[] = [];
const size = Number(values.pairs);
for (const [title, pairs] of [
  ['The public set', samplePairs(pairsOf(readSentences()), size)],
  ['Clinical errors that were written by hand', readErrors('errors-clinical')],
  ['Other errors that were written by hand', readErrors('errors-mixed')],
  ['Right translations that were written by hand', samplePairs(readCorrect(), size, { hasErrors: false })],
] as const) {
  const measured = await measureJudge(pairs, generate);
  figures.push(measured);
  describe(title, measured);
}
const day = new Date().toISOString().slice(0, 10);
print(`\nThe desk shows these figures with this setting, beside AI_JUDGE_MODEL=${model}:\n`);
print(`AI_JUDGE_MEASURED=${measuredSetting(model, day, figures)}`);
