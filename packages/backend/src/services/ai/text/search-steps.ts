import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import type { TokenUsage } from '@fabrica/contract';
import { type Step, tookTooLong, type Written } from '../calls/language-model.ts';
import type { MessageContent } from '../calls/message-content.ts';
import type { LanguageCall } from '../calls/run-language-call.ts';
import type { Search } from '../context.ts';
import { lookUp, parseQuery, WEB_SEARCH } from './web-search.ts';

const USUAL_STEPS = 5;
/** However many are asked for. */
const MOST_STEPS = 10;
const SEARCHES_PER_STEP = 3;
/** Of the time to a first byte: what a whole answer with searches may take that is not streamed. */
const PATIENCE = 3;

export interface SearchOptions {
  question: LanguageModelV4CallOptions;
  search: Search;
  /** Askings of the model at most. */
  maxSteps: number | null | undefined;
  /** Is told of each search that fails; the model is told too, the caller is not. */
  onFailure(error: unknown): void;
}

/**
 * Has the model look things up in the web before it answers: it is asked again with what was found, until it answers
 * without wanting more. The last step offers no search, so that an answer comes.
 */
export async function generateWithSearch(call: LanguageCall, options: SearchOptions): Promise<Written> {
  const ends = performance.now() + PATIENCE * call.timeout;
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(PATIENCE * call.timeout)]);
  const steps = createSteps(options);
  for (;;) {
    const left = ends - performance.now();
    if (left < 1) throw tookTooLong();
    const written = await call.write(steps.next(), Math.ceil(left));
    if (!steps.take(written)) return { ...written, usage: steps.usage() };
    await steps.search(signal);
    call.signal.throwIfAborted();
  }
}

/** The same, yielding pieces of the text of all steps; an empty one when the first search begins. */
export async function* streamWithSearch(
  call: LanguageCall,
  options: SearchOptions,
): AsyncGenerator<string, Step, undefined> {
  const steps = createSteps(options);
  let hasSaid = false;
  for (;;) {
    const pieces = call.stream(steps.next());
    const step: Step = yield* hasSaid ? behindGap(pieces) : pieces;
    if (!steps.take(step)) return { ...step, usage: steps.usage() };
    hasSaid ||= step.said.some((part) => part.type === 'text' && part.text.trim() !== '');
    yield '';
    await steps.search(call.signal);
    call.signal.throwIfAborted();
  }
}

/** What is said behind a search begins a new paragraph. */
async function* behindGap<End>(
  pieces: AsyncGenerator<string, End, undefined>,
): AsyncGenerator<string, End, undefined> {
  let gap = '\n\n';
  try {
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) return value;
      yield value && gap + value;
      if (value) gap = '';
    }
  } finally {
    await pieces.return(undefined as End);
  }
}

/** The conversation with the model, step by step. */
function createSteps({ question, search, maxSteps, onFailure }: SearchOptions) {
  const prompt = [...question.prompt];
  const most = Math.min(maxSteps ?? USUAL_STEPS, MOST_STEPS);
  const used: TokenUsage[] = [];
  let wanted: ToolCall[] = [];

  async function answer(call: ToolCall, place: number, signal: AbortSignal): Promise<string> {
    const query = parseQuery(call);
    if (query === undefined) return 'This tool cannot be used so. There is web_search, and it takes a query.';
    if (place >= SEARCHES_PER_STEP) return `No more than ${SEARCHES_PER_STEP} searches at a time.`;
    return lookUp(search, query, signal).catch((error: unknown) => {
      if (!signal.aborted) onFailure(error);
      return 'This search has failed. Try another one, or answer without it.';
    });
  }

  return {
    /** What the model is asked next. */
    next(): LanguageModelV4CallOptions {
      const isLast = used.length + 1 >= most;
      return { ...question, prompt: [...prompt], ...(!isLast && { tools: [WEB_SEARCH] }) };
    },
    /** Takes down what came of it. Does the model want to look something up? */
    take({ said, usage }: Step): boolean {
      used.push(usage);
      wanted = said.filter((part) => part.type === 'tool-call');
      if (wanted.length > 0) prompt.push({ role: 'assistant', content: said.flatMap(presentContent) });
      return wanted.length > 0;
    },
    /** Looks up what the model wants. */
    async search(signal: AbortSignal): Promise<void> {
      const content = await Promise.all(
        wanted.map(async (call, place): Promise<LanguageModelV4ToolResultPart> => {
          const { toolCallId, toolName } = call;
          const output = { type: 'text', value: await answer(call, place, signal) } as const;
          return { type: 'tool-result', toolCallId, toolName, output };
        }),
      );
      prompt.push({ role: 'tool', content });
    },
    usage: () => sumOf(used),
  };
}

type ToolCall = Extract<MessageContent, { type: 'tool-call' }>;
type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];

/** Their own words as models take them back; some insist on what they thought, and on notes of their own to it. */
function presentContent({ providerMetadata, ...part }: MessageContent): AssistantPart[] {
  const notes = providerMetadata && { providerOptions: providerMetadata };
  if (part.type === 'tool-call') {
    const { type, toolCallId, toolName } = part;
    const query = parseQuery(part);
    return [{ type, toolCallId, toolName, input: query === undefined ? {} : { query }, ...notes }];
  }
  if (part.type === 'text' && part.text.trim() === '') return [];
  return [{ type: part.type, text: part.text, ...notes }];
}

/** Null where any step does not say. */
function sumOf(used: readonly TokenUsage[]): TokenUsage {
  const sum = (name: keyof TokenUsage) =>
    used.reduce<number | null>((total, { [name]: one }) => {
      return total === null || one === null ? null : total + one;
    }, 0);
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    totalTokens: sum('totalTokens'),
  };
}
