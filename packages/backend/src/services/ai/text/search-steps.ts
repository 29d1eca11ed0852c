import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import type { TokenUsage } from '@fabrica/contract';
import { type GeneratedText, modelTimedOut, type Step } from '../calls/language-model.ts';
import type { MessageContent } from '../calls/message-content.ts';
import type { LanguageCall } from '../calls/run-language-call.ts';
import type { Search } from '../context.ts';
import { parseQuery, searchWeb, WEB_SEARCH } from './web-search.ts';

const DEFAULT_STEPS = 5;
/** The limit of steps, however many are requested. */
const MAX_STEPS = 10;
const SEARCHES_PER_STEP = 3;
/** Tells how many times the timeout to a first byte a response with searches may take when it is not streamed. */
const TOTAL_TIMEOUT_FACTOR = 3;

export interface SearchOptions {
  modelRequest: LanguageModelV4CallOptions;
  search: Search;
  /** Requests to the model at most. */
  maxSteps: number | null | undefined;
  /** Called for each search that fails. The model learns of it, and the caller does not. */
  onFailure(error: unknown): void;
}

/**
 * Generates a text for which the model may search the web. The model is called again with the results until it wants no
 * further search. The last step offers no search, so that there is a text.
 */
export async function generateWithSearch(call: LanguageCall, options: SearchOptions): Promise<GeneratedText> {
  const deadline = performance.now() + TOTAL_TIMEOUT_FACTOR * call.timeout;
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(TOTAL_TIMEOUT_FACTOR * call.timeout)]);
  const steps = createSteps(options);
  for (;;) {
    const msLeft = deadline - performance.now();
    if (msLeft < 1) throw modelTimedOut();
    const generated = await call.generate(steps.next(), Math.ceil(msLeft));
    if (!steps.record(generated)) return { ...generated, usage: steps.usage() };
    await steps.search(signal);
    call.signal.throwIfAborted();
  }
}

/**
 * Does the same as `generateWithSearch`, and yields pieces of the text of all steps. It yields an empty piece when a
 * search begins.
 */
export async function* streamWithSearch(
  call: LanguageCall,
  options: SearchOptions,
): AsyncGenerator<string, Step, undefined> {
  const steps = createSteps(options);
  let hasText = false;
  for (;;) {
    const pieces = call.stream(steps.next());
    const step: Step = yield* hasText ? startNewParagraph(pieces) : pieces;
    if (!steps.record(step)) return { ...step, usage: steps.usage() };
    hasText ||= step.content.some((part) => part.type === 'text' && part.text.trim() !== '');
    yield '';
    await steps.search(call.signal);
    call.signal.throwIfAborted();
  }
}

/** Begins a new paragraph with the first text after a search. */
async function* startNewParagraph<End>(
  pieces: AsyncGenerator<string, End, undefined>,
): AsyncGenerator<string, End, undefined> {
  let separator = '\n\n';
  try {
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) return value;
      yield value && separator + value;
      if (value) separator = '';
    }
  } finally {
    await pieces.return(undefined as End);
  }
}

/** Holds the conversation with the model, step by step. */
function createSteps({ modelRequest, search, maxSteps, onFailure }: SearchOptions) {
  const prompt = [...modelRequest.prompt];
  const stepLimit = Math.min(maxSteps ?? DEFAULT_STEPS, MAX_STEPS);
  const usages: TokenUsage[] = [];
  let toolCalls: ToolCall[] = [];

  async function resultOf(call: ToolCall, index: number, signal: AbortSignal): Promise<string> {
    const query = parseQuery(call);
    if (query === undefined) return 'This tool cannot be used so. There is web_search, and it takes a query.';
    if (index >= SEARCHES_PER_STEP) return `No more than ${SEARCHES_PER_STEP} searches at a time.`;
    return searchWeb(search, query, signal).catch((error: unknown) => {
      if (!signal.aborted) onFailure(error);
      return 'This search has failed. Try another one, or answer without it.';
    });
  }

  return {
    /** Returns the next request to the model. */
    next(): LanguageModelV4CallOptions {
      const isLast = usages.length + 1 >= stepLimit;
      return { ...modelRequest, prompt: [...prompt], ...(!isLast && { tools: [WEB_SEARCH] }) };
    },
    /** Records a step. Returns whether the model wants to search. */
    record({ content, usage }: Step): boolean {
      usages.push(usage);
      toolCalls = content.filter((part) => part.type === 'tool-call');
      if (toolCalls.length > 0) prompt.push({ role: 'assistant', content: content.flatMap(presentContent) });
      return toolCalls.length > 0;
    },
    /** Runs the searches that the model wants, and adds their results to the conversation. */
    async search(signal: AbortSignal): Promise<void> {
      const results = await Promise.all(
        toolCalls.map(async (call, index): Promise<LanguageModelV4ToolResultPart> => {
          const { toolCallId, toolName } = call;
          const output = { type: 'text', value: await resultOf(call, index, signal) } as const;
          return { type: 'tool-result', toolCallId, toolName, output };
        }),
      );
      prompt.push({ role: 'tool', content: results });
    },
    usage: () => totalUsage(usages),
  };
}

type ToolCall = Extract<MessageContent, { type: 'tool-call' }>;
type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];

/** Returns content in the form that models take back. Some insist on their own reasoning and metadata. */
function presentContent({ providerMetadata, ...part }: MessageContent): AssistantPart[] {
  const metadata = providerMetadata && { providerOptions: providerMetadata };
  if (part.type === 'tool-call') {
    const { type, toolCallId, toolName } = part;
    const query = parseQuery(part);
    return [{ type, toolCallId, toolName, input: query === undefined ? {} : { query }, ...metadata }];
  }
  if (part.type === 'text' && part.text.trim() === '') return [];
  return [{ type: part.type, text: part.text, ...metadata }];
}

/** Returns the sum of the usages; a number is null when any step does not report it. */
function totalUsage(usages: readonly TokenUsage[]): TokenUsage {
  const sum = (name: keyof TokenUsage) =>
    usages.reduce<number | null>((total, { [name]: one }) => {
      return total === null || one === null ? null : total + one;
    }, 0);
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    totalTokens: sum('totalTokens'),
  };
}
