import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { TokenUsage } from '@fabrica/contract';
import { AppError } from '../../../core/errors.ts';
import { createContentCollector, isMessageContent, type MessageContent } from './message-content.ts';
import { aiFailed, modelError } from './model-errors.ts';
import { retryModelCall } from './retry-model-call.ts';

/** Characters of one answer at most: what no model that works writes, so that none fills the memory. */
const MAX_ANSWER = 2_000_000;

export interface ModelCall {
  model: LanguageModelV4;
  question: LanguageModelV4CallOptions;
  /** Aborted when the caller leaves. */
  signal: AbortSignal;
  /** Milliseconds to the first byte, and between any two of a stream. */
  timeout: number;
  meter: Meter;
}

/** Is told what a call comes to, also of one that fails in the end. */
export interface Meter {
  wrote(characters: number): void;
  used(usage: TokenUsage): void;
}

/** How an answer ended. */
export interface Ending {
  finishReason: string;
  usage: TokenUsage;
}

/** An answer, which may be that the model wants one of the tools that it was offered. */
export interface Step extends Ending {
  /** Empty where it was offered none. */
  said: MessageContent[];
}

export interface Written extends Step {
  text: string;
}

/**
 * The models of the AI SDK are called as its providers offer them (`doGenerate`, `doStream`), not through the functions
 * of its package `ai`: those would fetch the pictures of a conversation from wherever it says, and each piece of a
 * stream would pass half a dozen more streams, which 200 readers at once would notice.
 *
 * A model that writes everything at once shows its first byte when it is done: the time to that, tries and pauses
 * included, bounds the whole call. Throws AI_TIMEOUT and AI_FAILED, which carry nothing of what was asked or answered;
 * anything, once `signal` is aborted.
 */
export async function write({ model, question, signal, timeout, meter }: ModelCall): Promise<Written> {
  const tooLong = AbortSignal.timeout(timeout);
  const ends = AbortSignal.any([signal, tooLong]);
  try {
    const { content, finishReason, usage } = await retryModelCall(
      () => model.doGenerate({ ...question, abortSignal: ends }),
      { signal: ends, timeout },
    );
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const said = question.tools ? content.filter(isMessageContent) : [];
    const size = text.length + sizeOfCalls(said);
    const ending = presentEnding(finishReason, usage);
    meter.wrote(size);
    meter.used(ending.usage);
    if (size > MAX_ANSWER) throw tooMuch();
    if (text.trim() === '' && !wantsTool(said)) throw saidNothing();
    return { text, said, ...ending };
  } catch (error) {
    throw tooLong.aborted && !signal.aborted ? tookTooLong() : modelError(error);
  }
}

/**
 * Yields pieces of the text as they come, an empty one for a model that begins by thinking. The connection to the model
 * ends with the iteration. Throws as `write` does, before the first piece or behind any.
 */
export async function* stream(call: ModelCall): AsyncGenerator<string, Step, undefined> {
  const { model, question, signal, timeout, meter } = call;
  const { said, hear } = createContentCollector();
  const ends = new AbortController();
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  const stop = () => {
    ends.abort();
    reader?.cancel().catch(() => undefined);
  };
  let isWaiting = true;
  let isLate = false;
  // One timer for all of the stream, set anew for each piece; while the reader is the slow one, it does not count.
  const timer = setTimeout(() => {
    if (!isWaiting) return;
    isLate = true;
    stop();
  }, timeout);
  signal.addEventListener('abort', stop, { once: true });
  let ending: Ending | undefined;
  let size = 0;
  let hasSaid = false;
  let hasBegun = false;
  try {
    signal.throwIfAborted();
    const answer = await retryModelCall(() => model.doStream({ ...question, abortSignal: ends.signal }), {
      signal: ends.signal,
      timeout,
    });
    reader = answer.stream.getReader();
    for (;;) {
      const { done, value: part } = await reader.read();
      timer.refresh();
      if (done) break;
      if (part.type === 'error') throw part.error;
      if (question.tools) hear(part);
      if ('delta' in part) size += part.delta.length;
      if (size > MAX_ANSWER) throw tooMuch();
      if (part.type === 'finish') {
        ending = presentEnding(part.finishReason, part.usage);
        meter.used(ending.usage);
      }
      const isThought = part.type === 'reasoning-start' && !hasBegun;
      const piece = part.type === 'text-delta' ? part.delta : '';
      if (!piece && !isThought) continue;
      hasBegun = true;
      hasSaid ||= piece.trim() !== '';
      meter.wrote(piece.length);
      isWaiting = false;
      yield piece;
      isWaiting = true;
      timer.refresh();
    }
    meter.wrote(sizeOfCalls(said));
    const hasAnswered = hasSaid || wantsTool(said);
    if (isLate || signal.aborted || (hasAnswered && !ending)) throw brokeOff();
    if (!hasAnswered || !ending) throw saidNothing();
    return { ...ending, said };
  } catch (error) {
    throw isLate && !signal.aborted ? tookTooLong() : modelError(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    stop();
  }
}

const wantsTool = (said: readonly MessageContent[]) => said.some(({ type }) => type === 'tool-call');

const sizeOfCalls = (said: readonly MessageContent[]) =>
  said.reduce((size, part) => size + (part.type === 'tool-call' ? part.input.length : 0), 0);

/** A model that says nothing has not done what it was asked for. */
const saidNothing = () => aiFailed('The language model answered with an empty text. Please try again.');

const brokeOff = () => aiFailed('The language model’s answer broke off. Please try again.');

const tooMuch = () => aiFailed('The language model’s answer was too long. Please try again.');

export const tookTooLong = () =>
  new AppError('AI_TIMEOUT', 'The language model took too long to answer. Please try again.');

function presentEnding(
  { unified }: LanguageModelV4FinishReason,
  { inputTokens, outputTokens }: LanguageModelV4Usage,
): Ending {
  if (unified === 'error') throw brokeOff();
  const input = inputTokens.total ?? null;
  const output = outputTokens.total ?? null;
  return {
    finishReason: unified,
    usage: {
      inputTokens: input,
      outputTokens: output,
      totalTokens: input === null || output === null ? null : input + output,
    },
  };
}
