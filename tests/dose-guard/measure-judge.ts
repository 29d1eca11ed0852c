import { parseConfig } from '@fabrica/backend';
import {
  askAbout,
  type JudgeQuestion,
  judgePrompt,
  judgeSystemPrompt,
  planQuestions,
  tokensFor,
} from '../../apps/journal/desk/translations/judge/judge-prompt.ts';
import { readVerdicts } from '../../apps/journal/desk/translations/judge/read-verdicts.ts';
import {
  countHolds,
  findingsOf,
  isClearable,
  writeReading,
} from '../../apps/journal/desk/translations/judge/readings.ts';
import { recogniseOther } from '../../apps/journal/project/recognise-language.ts';
import type { Difference } from '../../apps/journal/project/translations.ts';
import { generateText } from '../../packages/backend/src/services/ai/calls/language-model.ts';
import { createAiModels } from '../../packages/backend/src/services/ai/models/models.ts';
import { compareSegments, type Segment } from '../../packages/dose-guard/src/index.ts';
import { randomFrom } from '../peers/random.ts';
import { injectErrors } from './inject-errors.ts';
import type { Count } from './measure.ts';
import type { Pair } from './read-sentences.ts';

/** A text with a right translation, and a wrong one where there is one. */
export interface Sampled {
  source: Segment;
  right: Segment;
  wrong: Segment | null;
}

/** Tells how often wrong translations are held, and right ones. */
export interface Held {
  caught: Count;
  falseAlarms: Count;
}

export interface MeasuredJudge {
  judge: Held;
  guard: Held;
  /** Held by the guard, whose doubts the judge may clear, or by the judge. */
  both: Held;
  /** Articles of right translations of which nothing is held. */
  articles: { guard: Count; both: Count };
  /** Texts without a verdict that counts. */
  unread: Count;
  /** Characters of the texts that were read, and of what was sent and received for it. */
  characters: { texts: number; calls: number };
}

export type Generate = (question: JudgeQuestion) => Promise<string>;

const SEED = 20_261_128;
const TIMEOUT_MS = 300_000;
/** Sentences of an article, and how many articles are put together by chance. */
const SENTENCES = 12;
const ARTICLES = 10_000;
/** Calls at a time. */
const CONCURRENCY = 4;

/** Returns how an OpenAI-compatible endpoint is asked, as the server asks it. */
export function askEndpoint(url: string, model: string, apiKey: string | undefined): Generate {
  const { ai } = parseConfig({
    ...{ AI_BASE_URL: url, AI_TEXT_MODEL: model },
    ...(apiKey && { AI_API_KEY: apiKey }),
  });
  const models = createAiModels(ai, fetch);
  const temperatures = new Set<string>();
  return async (question) => {
    const { text } = await generateText({
      model: (await models.text()).model,
      modelRequest: {
        prompt: [
          { role: 'system', content: judgeSystemPrompt(question) },
          { role: 'user', content: [{ type: 'text', text: judgePrompt(question) }] },
        ],
        maxOutputTokens: tokensFor(question),
        temperature: 0,
      },
      ...{ signal: new AbortController().signal, timeout: TIMEOUT_MS, temperatures },
      meter: { wrote: () => undefined, used: () => undefined },
    });
    return text;
  };
}

/** Returns so many pairs by chance, each with one error or, where `hasErrors` is false, with none. */
export function samplePairs(pairs: readonly Pair[], size: number, { hasErrors = true } = {}): Sampled[] {
  const random = randomFrom(SEED);
  const left = [...pairs];
  const sample: Sampled[] = [];
  while (sample.length < size && left.length > 0) {
    const [pair] = left.splice(Math.floor(random() * left.length), 1);
    if (pair && !hasErrors) sample.push({ source: pair.source, right: pair.target, wrong: null });
    const errors = pair && hasErrors ? injectErrors(pair, random).filter(({ options }) => !options) : [];
    const error = errors[Math.floor(random() * errors.length)];
    if (pair && error) {
      const { source, target: right } = pair;
      sample.push({ source, right, wrong: { ...right, text: error.text } });
    }
  }
  return sample;
}

interface Read {
  source: Segment;
  target: Segment;
  isWrong: boolean;
}

/** Has a model read right and wrong translations, never both of one text in a call, and counts what it and the guard hold. */
export async function measureJudge(pairs: readonly Sampled[], generate: Generate): Promise<MeasuredJudge> {
  const measured = emptyFigures();
  const rights = new Map<string, PassedText[]>();
  const directions = Map.groupBy(pairs, ({ source, right }) => `${source.language} ${right.language}`);
  const questions = [...directions.values()].flatMap((same) =>
    [0, 1].flatMap((round) => {
      const reads = same.flatMap(({ source, right, wrong }, at): Read[] => {
        const isWrong = at % 2 === round;
        const target = isWrong ? wrong : right;
        return target ? [{ source, target, isWrong }] : [];
      });
      return planQuestions(reads.map(describe));
    }),
  );
  const worker = async () => {
    for (let next = questions.shift(); next; next = questions.shift()) {
      for (const [text, verdict] of await askAll(next, measured, generate)) {
        const passed = countText(text, verdict, measured);
        const { source, target, isWrong } = text.read;
        const direction = `${source.language} ${target.language}`;
        if (!isWrong) rights.set(direction, [...(rights.get(direction) ?? []), passed]);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  measured.articles = countArticles([...rights.values()]);
  return measured;
}

/** Returns a pair as the server asks about it, with what the guard says of it. */
function describe(read: Read) {
  const findings = compareSegments(read.source, read.target, { recogniseOther });
  const row = {
    ...{ source_hash: '', text: read.target.text, reading: null, state: 'machine' as const },
    findings: findings.length > 0 ? JSON.stringify(findings) : null,
  };
  const texts = { source: read.source.text, target: read.target.text };
  return { ...texts, read, row, doubts: findingsOf(row).filter(isClearable) };
}

type Described = ReturnType<typeof describe>;

/** Asks about texts, and once more about those without a verdict, as the server does. Returns each with its verdict. */
async function askAll(
  texts: readonly Described[],
  measured: MeasuredJudge,
  generate: Generate,
): Promise<[Described, Difference[] | undefined][]> {
  const [first] = texts;
  if (!first) return [];
  const verdicts = new Map<Described, Difference[]>();
  for (let questions = 0, open = texts; questions < 2 && open.length > 0; questions += 1) {
    const { source, target } = first.read;
    const question = askAbout(open, { from: source.language, to: target.language });
    const response = await generate(question);
    measured.characters.texts += open.reduce((sum, text) => sum + text.source.length + text.target.length, 0);
    measured.characters.calls +=
      judgeSystemPrompt(question).length + judgePrompt(question).length + response.length;
    for (const [at, differences] of readVerdicts(response, question)) {
      const text = open[at];
      if (text) verdicts.set(text, differences);
    }
    open = open.filter((text) => !verdicts.has(text));
  }
  return texts.map((text) => [text, verdicts.get(text)]);
}

/** Tells whether a text is held neither by the guard, nor by both. */
interface PassedText {
  guard: boolean;
  both: boolean;
}

function countText(
  { read, row }: Described,
  differences: Difference[] | undefined,
  measured: MeasuredJudge,
): PassedText {
  const { judge, guard, both, unread } = measured;
  const side = read.isWrong ? 'caught' : 'falseAlarms';
  const reading = differences ? writeReading(row, { model: '', at: 0, differences }) : null;
  add(unread, differences === undefined);
  add(judge[side], (differences?.length ?? 0) > 0);
  const passes = { guard: countHolds(row) === 0, both: countHolds({ ...row, reading }) === 0 };
  add(guard[side], !passes.guard);
  add(both[side], !passes.both);
  return passes;
}

/** Puts right translations of one direction together to articles, and counts those that pass whole. */
function countArticles(directions: readonly (readonly PassedText[])[]): MeasuredJudge['articles'] {
  const random = randomFrom(SEED);
  const choose = <T>(some: readonly T[]) => some[Math.floor(random() * some.length)];
  const counted = emptyFigures().articles;
  for (let article = 0; article < ARTICLES; article += 1) {
    const texts = choose(directions) ?? [];
    const sentences = Array.from({ length: SENTENCES }, () => choose(texts));
    for (const by of ['guard', 'both'] as const)
      add(
        counted[by],
        sentences.every((one) => one?.[by]),
      );
  }
  return counted;
}

function add(count: Count, isRight: boolean): void {
  count.all += 1;
  if (isRight) count.right += 1;
}

function emptyFigures(): MeasuredJudge {
  const count = (): Count => ({ right: 0, all: 0 });
  const held = (): Held => ({ caught: count(), falseAlarms: count() });
  return {
    ...{ judge: held(), guard: held(), both: held(), unread: count() },
    articles: { guard: count(), both: count() },
    characters: { texts: 0, calls: 0 },
  };
}

/** Returns the value of `AI_JUDGE_MEASURED` for these figures. */
export function measuredSetting(model: string, day: string, figures: readonly MeasuredJudge[]): string {
  const share = (side: keyof Held) => {
    const sum = (name: keyof Count) => figures.reduce((all, { judge }) => all + judge[side][name], 0);
    return ((sum('right') / Math.max(1, sum('all'))) * 100).toFixed(1);
  };
  return `${model} ${day} ${share('caught')} ${share('falseAlarms')}`;
}
