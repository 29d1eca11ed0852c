import { AppError, retry, Semaphore, type TextModel } from '@fabrica/backend';
import type { Language } from '../../../project/languages.ts';
import type { Difference } from '../../../project/translations.ts';
import type { JobContext } from '../../desk-context.ts';
import { quotaOf } from '../../rows-quota.ts';
import { changeRecords, type OpenedTranslations, openTranslations, planFacts } from '../change-records.ts';
import { isPassing, MAX_CALLS, pauseAfter } from '../jobs/call-pauses.ts';
import { releasedOriginal } from '../present.ts';
import type { IdentifiedSegment } from '../records/post-records.ts';
import { doubtFacts } from '../releases/release-facts.ts';
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

/** Errors after which no other call is of any use. */
const ENDING: ReadonlySet<string> = new Set(['AI_QUOTA_EXCEEDED', 'AI_NOT_CONFIGURED', 'RATE_LIMITED']);

/** A text is asked about so often, the second time with others that have no verdict: what is unread then stays so. */
const MAX_QUESTIONS = 2;

/**
 * Has the second reader, where there is one, compare what machines have translated of a post into a language, and stores what it says.
 * Texts stay unread where it has no verdict, fails for good, or has no budget: their doubts hold. Throws the reason of the signal.
 */
export async function readAgain(reading: ReadAgain): Promise<void> {
  const { desk, model, postId, language, signal } = reading;
  if (!model.judge) return;
  const opened = await openTranslations(desk, postId);
  const { original, records } = opened;
  if (original.language === null) return;
  const direction = { from: original.language, to: language };
  const unread = (await segmentsOf(desk, opened)).flatMap((segment) => {
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

/** Returns the segments of the working copy, and those of what readers have, of which a language is released. */
async function segmentsOf(desk: JobContext, opened: OpenedTranslations): Promise<IdentifiedSegment[]> {
  const { original, records } = opened;
  const all = [original, await releasedOriginal(desk, opened)].flatMap((one) => records.identify(one));
  return [...new Map(all.map((segment) => [`${segment.id} ${segment.hash}`, segment])).values()];
}

type Direction = Pick<JudgeQuestion, 'from' | 'to'>;

/**
 * Asks about all pairs, at the same time as far as the model may be called. What a call fails about stays unread; one without budget or
 * model ends all others.
 */
async function askAll(reading: ReadAgain, pairs: readonly UnreadPair[], direction: Direction): Promise<void> {
  const { model, signal } = reading;
  const semaphore = new Semaphore({ concurrency: model.concurrency });
  const stop = new AbortController();
  const both = { ...reading, signal: AbortSignal.any([signal, stop.signal]) };
  let open = pairs;
  for (let questions = 0; questions < MAX_QUESTIONS && open.length > 0; questions += 1) {
    const asked = planQuestions(open).map(async (some) => {
      try {
        return await semaphore.run(() => ask(both, some, direction));
      } catch (error) {
        if (error instanceof AppError && !ENDING.has(error.code)) return some;
        stop.abort(error);
        throw error;
      }
    });
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

/**
 * Stores verdicts with the texts that they are about. A text that somebody has changed meanwhile stays unread. Of a language that was
 * released unread, readers are no longer told that nothing was found where something was.
 */
async function record(
  { desk, model, postId, userId, language }: ReadAgain,
  pairs: readonly UnreadPair[],
  verdicts: readonly { id: string; differences: Difference[] }[],
): Promise<void> {
  const read = new Map(pairs.flatMap((pair) => pair.ids.map((id) => [id, pair])));
  await changeRecords(desk, postId, async (opened) => {
    const { records, post, facts } = opened;
    const segments = await segmentsOf(desk, opened);
    const rows = verdicts.flatMap(({ id, differences }) => {
      const pair = read.get(id);
      const segment = segments.find((one) => one.id === id && one.text === pair?.source);
      const row = segment && records.current(segment, language);
      if (!row || row.text !== pair?.target) return [];
      const reading = { model: model.judge?.name ?? '', at: desk.now(), differences };
      return [records.note(row, { reading: writeReading(row, reading) })];
    });
    const plans = planFacts(desk, post, doubtFacts(facts, rows));
    return { plans, quota: quotaOf(desk, userId), result: () => undefined };
  });
}
