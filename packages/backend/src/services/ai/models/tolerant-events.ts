import { EventSourceParserStream } from 'eventsource-parser/stream';

/** What endpoints do otherwise than OpenAI, harmlessly, as sentences for the operator. */
const ODDITIES = {
  silent: 'The model’s endpoint sends events that say nothing. They are passed over.',
  whole: 'The model’s endpoint does not stream: it sends each response as a whole.',
  endless: 'The model’s endpoint does not say why a response ends: it sends no “finish_reason”.',
} as const;

const END = '[DONE]';

interface Message {
  content?: unknown;
  tool_calls?: object[] | null;
}

interface Choice {
  message?: Message | null;
  delta?: Message | null;
  finish_reason?: string | null;
}

/** A part of a response, or all of it. */
interface Completion {
  error?: unknown;
  usage?: unknown;
  choices?: Choice[] | null;
}

/**
 * Returns a `fetch` whose streams hold nothing that the AI SDK fails at without need: pings, empty events, parts without choices, or one
 * whole completion where a stream was asked for. A response that ends for no reason that is named ends for the reason `unknown`. What an
 * endpoint does otherwise than OpenAI is noted, each time that it did no harm.
 */
export function tolerateEvents(
  fetch: typeof globalThis.fetch,
  note: (oddity: string) => void,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok || !response.body || !asksForStream(init)) return response;
    const isWhole = response.headers.get('content-type')?.includes('json');
    const events = isWhole
      ? new ReadableStream<string>({
          async start(to) {
            to.enqueue(await response.text());
            to.enqueue(END);
            to.close();
          },
        })
      : response.body
          .pipeThrough(new TextDecoderStream())
          .pipeThrough(new EventSourceParserStream())
          .pipeThrough(new TransformStream({ transform: ({ data }, to) => to.enqueue(data) }));
    const body = events.pipeThrough(cleanEvents(note)).pipeThrough(new TextEncoderStream());
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
}

/** Tells whether a request of the AI SDK asks for a stream. No text within its JSON has such quotes. */
function asksForStream(init: RequestInit | undefined): boolean {
  return typeof init?.body === 'string' && /[{,]"stream":true[,}]/.test(init.body);
}

/** Returns a stream that takes the data of events and gives events that the SDK can read. Only what did no harm is noted. */
function cleanEvents(note: (oddity: string) => void): TransformStream<string, string> {
  const odd = new Set<string>();
  let hasContent = false;
  let hasReason = false;
  return new TransformStream({
    transform(data, to) {
      const send = (one: string) => to.enqueue(`data: ${one}\n\n`);
      if (data.trim() === END) {
        if (hasContent && !hasReason) {
          odd.add(ODDITIES.endless);
          send(JSON.stringify({ choices: [{ delta: {}, finish_reason: 'unknown' }] }));
        }
        return send(END);
      }
      const part = parse(data);
      // What is no JSON is the SDK's to refuse.
      if (part === undefined) return void (data.trim() === '' ? odd.add(ODDITIES.silent) : send(data));
      if (part.error) return send(data);
      if (!part.choices && !part.usage) return void odd.add(ODDITIES.silent);
      if (part.choices?.some(({ message }) => message)) odd.add(ODDITIES.whole);
      const choices = (part.choices ?? []).map(toDelta);
      hasContent ||= choices.some(({ delta }) => delta?.content || delta?.tool_calls);
      hasReason ||= choices.some((one) => one.finish_reason);
      send(JSON.stringify({ ...part, choices }));
    },
    flush() {
      if (hasContent) for (const one of odd) note(one);
    },
  });
}

function parse(data: string): Completion | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a choice of a whole completion as the only part of a stream; one of a stream as it is. */
function toDelta({ message, ...choice }: Choice): Choice {
  if (!message) return choice;
  const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
  return { ...choice, delta: { ...message, ...(calls && { tool_calls: calls }) } };
}
