import { AppError, retry, Semaphore, type TextModel } from '@fabrica/backend';
import type { Language } from '../../../project/languages.ts';
import type { Difference } from '../../../project/translations.ts';
import type { JobContext } from '../../desk-context.ts';
import { quotaOf } from '../../rows-quota.ts';
import { changeRecords, openTranslations } from '../change-records.ts';
import { isPassing, MAX_CALLS, pauseAfter } from '../jobs/call-pauses.ts';
import {
  askAbout,
  type JudgeQuestion,
  judgePrompt,
  judgeSystemPrompt,
  type Pair,
  planQuestions,
  tokensFor,
} from './judge-prompt.ts';
import { readVerdicts } from './read-verdicts.ts';
import { findingsOf, isClearable, writeReading } from './readings.ts';

interface ReadAgain {
  desk: JobContext;
  model: TextModel;
  postId: string;
  /** The account on whose budget it is read. */
  userId: string;
  language: Language;
  signal: AbortSignal;
  /** Milliseconds after the first call that failed. */
  firstPauseMs?: number | undefined;
}

/** A pair with the segments that have these very texts: they are read once. */
interface UnreadPair extends Pair {
  ids: readonly string[];
}

/** A text is asked about so often, the second time with others that have no verdict: what is unread then stays so. */
const MAX_QUESTIONS = 2;

/**
 * Has the second reader, where there is one, compare what machines have translated of a post into a language, and stores what it says.
 * Texts stay unread where it has no verdict, fails for good, or has no budget: their doubts hold. Throws the reason of the signal.
 */
export async function readAgain(reading: ReadAgain): Promise<void> {
  const { desk, model, postId, language, signal } = reading;
  if (!model.judge) return;
  const { original, records } = await openTranslations(desk, postId);
  if (original.language === null) return;
  const direction = { from: original.language, to: language };
  const unread = records.identify(original).flatMap((segment) => {
    const row = records.current(segment, language);
    if (!row || !records.isUnread(segment, language)) return [];
    return [
      {
        id: segment.id,
        source: segment.text,
        target: row.text ?? '',
        doubts: findingsOf(row).filter(isClearable),
      },
    ];
  });
  const alike = Map.groupBy(unread, ({ source, target }) => JSON.stringify([source, target]));
  const pairs = [...alike.values()].flatMap((same) =>
    same.slice(0, 1).map((pair): UnreadPair => ({ ...pair, ids: same.map(({ id }) => id) })),
  );
  try {
    await askAll(reading, pairs, direction);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    desk.log.warn({ err: error, post: postId, language }, 'Translations could not be read once more');
  }
}

type Direction = Pick<JudgeQuestion, 'from' | 'to'>;

/** Asks about all pairs, at the same time as far as the model may be called. The first call that fails for good ends all others. */
async function askAll(reading: ReadAgain, pairs: readonly UnreadPair[], direction: Direction): Promise<void> {
  const { model, signal } = reading;
  const semaphore = new Semaphore({ concurrency: model.concurrency });
  const stop = new AbortController();
  const both = { ...reading, signal: AbortSignal.any([signal, stop.signal]) };
  let open = pairs;
  for (let questions = 0; questions < MAX_QUESTIONS && open.length > 0; questions += 1) {
    const asked = planQuestions(open).map((some) => semaphore.run(() => ask(both, some, direction)));
    for (const one of asked) one.catch((error: unknown) => stop.abort(error));
    await Promise.allSettled(asked);
    open = (await Promise.all(asked)).flat();
  }
}

/** Asks about pairs in one call, and stores the verdicts. Returns the pairs that have none. */
async function ask(
  reading: ReadAgain,
  pairs: readonly UnreadPair[],
  direction: Direction,
): Promise<UnreadPair[]> {
  const question = askAbout(pairs, direction);
  const verdicts = readVerdicts(await generate(reading, question), question);
  const found = pairs.flatMap(({ ids }, at) => {
    const differences = verdicts.get(at);
    return differences ? ids.map((id) => ({ id, differences })) : [];
  });
  if (found.length > 0) await record(reading, pairs, found);
  return pairs.filter((_, at) => !verdicts.has(at));
}

async function generate(
  { desk, model, userId, signal, firstPauseMs }: ReadAgain,
  question: JudgeQuestion,
): Promise<string> {
  const task = {
    ...{ project: desk.project, account: userId, capability: 'judge' as const },
    ...{ system: judgeSystemPrompt(question), prompt: judgePrompt(question) },
    ...{ maxTokens: tokensFor(question), temperature: 0, signal },
  };
  const { text } = await retry(() => model.generate(task), {
    pauseAfter: (error, failures) =>
      isPassing(error) && failures < MAX_CALLS ? pauseAfter(error, failures, firstPauseMs) : undefined,
    signal,
  });
  return text;
}

/** Stores verdicts with the texts that they are about. A text that somebody has changed meanwhile stays unread. */
async function record(
  { desk, model, postId, userId, language }: ReadAgain,
  pairs: readonly UnreadPair[],
  verdicts: readonly { id: string; differences: Difference[] }[],
): Promise<void> {
  const read = new Map(pairs.flatMap((pair) => pair.ids.map((id) => [id, pair])));
  await changeRecords(desk, postId, ({ records, original }) => {
    const segments = new Map(records.identify(original).map((one) => [one.id, one]));
    for (const { id, differences } of verdicts) {
      const segment = segments.get(id);
      const row = segment && records.current(segment, language);
      const pair = read.get(id);
      if (!row || segment.text !== pair?.source || row.text !== pair.target) continue;
      const reading = { model: model.judge?.name ?? '', at: desk.now(), differences };
      records.mark(row, { reading: writeReading(row, reading) });
    }
    return { quota: quotaOf(desk, userId), result: () => undefined };
  });
}
