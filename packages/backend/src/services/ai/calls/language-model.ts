import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { TokenUsage } from '@fabrica/contract';
import { AppError } from '../../../core/errors.ts';
import { createContentCollector, type MessageContent } from './message-content.ts';
import { aiFailed, modelError } from './model-errors.ts';
import { type RefusedTemperatures, startStream } from './refused-temperatures.ts';
import { retryModelCall } from './retry-model-call.ts';

/** Characters of one response at most. No sound model writes more, and nothing else would bound the memory. */
const MAX_CHARACTERS = 2_000_000;

interface ModelCall {
  model: LanguageModelV4;
  modelRequest: LanguageModelV4CallOptions;
  /** Aborted when the caller leaves. */
  signal: AbortSignal;
  /** Milliseconds to the first byte, and between any two pieces of a stream. */
  timeout: number;
  meter: UsageMeter;
  temperatures: RefusedTemperatures;
}

/** Receives what a call uses, even when the call fails in the end. */
interface UsageMeter {
  wrote(characters: number): void;
  used(usage: TokenUsage): void;
}

/** The reason a response ended, and its tokens. */
export interface Finish {
  finishReason: string;
  usage: TokenUsage;
}

/** A response of the model, which may ask for one of the tools that were offered. */
export interface Step extends Finish {
  /** Empty unless tools were offered. */
  content: MessageContent[];
}

export interface GeneratedText extends Step {
  text: string;
}

/**
 * Generates a whole text. The model streams it all the same, so that `timeout` counts its silence and not the length of
 * what it writes. Throws AI_TIMEOUT or AI_FAILED, which carry nothing of the prompt or the response, or any error once
 * `signal` is aborted.
 *
 * Providers are called by their own interface (`doStream`) rather than through the package `ai`: see
 * docs/decisions/models-without-the-ai-package.md.
 */
export async function generateText(call: ModelCall): Promise<GeneratedText> {
  const pieces = streamText(call);
  let text = '';
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return { text, ...value };
    text += value;
  }
}

/**
 * Yields pieces of the text as they come, and an empty piece when a model begins with reasoning. The connection to the
 * model ends with the iteration. Throws as `generateText` does, before the first piece or after any.
 */
export async function* streamText(call: ModelCall): AsyncGenerator<string, Step, undefined> {
  const { model, modelRequest, signal, timeout, meter } = call;
  const { content, addPart } = createContentCollector();
  const ended = new AbortController();
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  const stop = () => {
    ended.abort();
    reader?.cancel().catch(() => undefined);
  };
  let isWaiting = true;
  let isLate = false;
  // One timer serves the whole stream and restarts with each piece. It does not count while the reader is slow.
  const timer = setTimeout(() => {
    if (!isWaiting) return;
    isLate = true;
    stop();
  }, timeout);
  signal.addEventListener('abort', stop, { once: true });
  let finish: Finish | undefined;
  let size = 0;
  let hasText = false;
  let hasBegun = false;
  try {
    signal.throwIfAborted();
    const request = { ...modelRequest, abortSignal: ended.signal };
    const response = await retryModelCall(() => startStream(model, request, call.temperatures), {
      signal: ended.signal,
      timeout,
    });
    reader = response.stream.getReader();
    for (;;) {
      const { done, value: part } = await reader.read();
      timer.refresh();
      if (done) break;
      if (part.type === 'error') throw part.error;
      if (modelRequest.tools) addPart(part);
      if ('delta' in part) size += part.delta.length;
      if (size > MAX_CHARACTERS) throw textTooLong();
      if (part.type === 'finish') {
        finish = presentFinish(part.finishReason, part.usage);
        meter.used(finish.usage);
      }
      const isReasoning = part.type === 'reasoning-start' && !hasBegun;
      const piece = part.type === 'text-delta' ? part.delta : '';
      if (!piece && !isReasoning) continue;
      hasBegun = true;
      hasText ||= piece.trim() !== '';
      meter.wrote(piece.length);
      isWaiting = false;
      yield piece;
      isWaiting = true;
      timer.refresh();
    }
    meter.wrote(sizeOfCalls(content));
    const hasContent = hasText || wantsTool(content);
    if (isLate || signal.aborted || (hasContent && !finish)) throw streamBrokeOff();
    if (!hasContent || !finish) throw emptyText();
    return { ...finish, content };
  } catch (error) {
    throw isLate && !signal.aborted ? modelTimedOut() : modelError(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    stop();
  }
}

const wantsTool = (content: readonly MessageContent[]) => content.some(({ type }) => type === 'tool-call');

const sizeOfCalls = (content: readonly MessageContent[]) =>
  content.reduce((size, part) => size + (part.type === 'tool-call' ? part.input.length : 0), 0);

const emptyText = () => aiFailed('The language model answered with an empty text. Please try again.');

const streamBrokeOff = () => aiFailed('The language model’s answer broke off. Please try again.');

const textTooLong = () => aiFailed('The language model’s answer was too long. Please try again.');

export const modelTimedOut = () =>
  new AppError('AI_TIMEOUT', 'The language model took too long to answer. Please try again.');

function presentFinish(
  { unified, raw }: LanguageModelV4FinishReason,
  { inputTokens, outputTokens }: LanguageModelV4Usage,
): Finish {
  if (unified === 'error') throw streamBrokeOff();
  const input = inputTokens.total ?? null;
  const output = outputTokens.total ?? null;
  return {
    // No reason was named.
    finishReason: raw === 'unknown' ? raw : unified,
    usage: {
      inputTokens: input,
      outputTokens: output,
      totalTokens: input === null || output === null ? null : input + output,
    },
  };
}
