/**
 * A stand-in for an OpenAI-compatible endpoint, for tests and for trying things out without a model. It responds to
 * `POST /v1/chat/completions` with a recognisable "translation": the same text behind the requested language, as in
 * `[de] The heart`; numbered texts are translated one by one (`openai-stand-in-segments.ts`), and pairs of them compared
 * (`openai-stand-in-verdicts.ts`). A call for JSON gets an
 * example of its schema. Both come whole or streamed word by word. Rules make it fail, stall, break off or return nonsense.
 *
 * In a test process: `const ai = await startOpenAiStandIn()`, then `AI_BASE_URL = ai.url`.
 * On its own: `node tests/peers/openai-stand-in.ts 4010`; then `PUT /behaviours` takes a list of the rules that `behave`
 * takes one by one (with plain strings for `when`), and `GET /calls` returns the received calls.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { parseCall, type StandInCall, type StandInMessage } from './openai-stand-in-calls.ts';
import { handleMedia, type MediaContext } from './openai-stand-in-media.ts';
import {
  type BadSegments,
  markedTranslation,
  translateSegments,
  writeBrief,
} from './openai-stand-in-segments.ts';
import { type CallTool, type ToolCall, toolCallsOf, toolDeltas } from './openai-stand-in-tools.ts';
import { type BadVerdicts, judgePairs } from './openai-stand-in-verdicts.ts';

export type Behaviour =
  /** Responds with this status and OpenAI's error body. */
  | { kind: 'fail'; status: number; retryAfter?: number; message?: string }
  /** Refuses calls that name a temperature, as models do that have one of their own, and responds to all others. */
  | { kind: 'refuse-temperature' }
  /** Never responds. A stream stops after this many words (default: none) and stays open. */
  | { kind: 'stall'; after?: number }
  /** Closes the connection in the middle of the response. A stream breaks off after this many words. */
  | { kind: 'break-off'; after: number }
  /** Responds after this many milliseconds. */
  | { kind: 'delay'; ms: number }
  /** Responds once this promise is fulfilled. */
  | { kind: 'wait'; until: Promise<unknown> }
  /** Waits this many milliseconds before each word of a stream. */
  | { kind: 'drip'; ms: number }
  /** Responds with exactly this text; `usage: false` leaves the token counts out. */
  | { kind: 'say'; text: string; finishReason?: string; usage?: boolean }
  /** Streams as endpoints do that are only like OpenAI's. */
  | { kind: 'stream-oddly'; as: OddStream }
  /** Streams some reasoning before this text. */
  | { kind: 'think'; text: string }
  /** Calls the offered tool before it responds. */
  | CallTool
  /** Translates numbered texts badly. */
  | BadSegments
  /** Compares texts with their translations badly. */
  | BadVerdicts
  /** Responds 200 with a body that is no completion. */
  | { kind: 'nonsense'; as: Nonsense }
  /** Closes the connection without a response. */
  | { kind: 'hang-up' };

export type OddStream = 'pings' | 'empty-events' | 'no-choices' | 'whole' | 'no-finish-reason';

export type Nonsense = 'invalid-json' | 'empty-choices' | 'empty-text' | 'html' | 'other-json';

export type Rule = Behaviour & {
  /** Selects the calls whose prompt contains this; all calls by default. */
  when?: string | RegExp;
  /** The number of calls that it applies to; all of them by default. */
  times?: number;
};

export interface OpenAiStandIn {
  /** The value of AI_BASE_URL, `http://127.0.0.1:<port>/v1`. */
  url: string;
  /** Every call so far, oldest first. */
  calls: StandInCall[];
  /** Adds a rule and returns a function that removes it. Of all rules that match a call, the newest one applies. */
  behave(rule: Rule): () => void;
  /** The calls for images and sound, and the rules for them. */
  media: MediaContext;
  /** Removes all rules and calls. */
  reset(): void;
  close(): Promise<void>;
}

const NONSENSE: Record<Nonsense, { type: string; body: string }> = {
  'invalid-json': { type: 'application/json', body: '{"choices":[{"message":{"content":"[de] Das He' },
  'empty-choices': { type: 'application/json', body: JSON.stringify({ id: 'x', model: 'x', choices: [] }) },
  'empty-text': {
    type: 'application/json',
    body: JSON.stringify(
      completion({ model: 'stand-in', text: '', finishReason: 'stop', usage: true, toolCalls: [] }),
    ),
  },
  html: { type: 'text/html', body: '<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>' },
  'other-json': { type: 'application/json', body: JSON.stringify({ hello: ['world'] }) },
};

const LANGUAGES: Record<string, RegExp> = {
  en: /\b(english|en)\b/i,
  es: /\b(spanish|español|es)\b/i,
  fr: /\b(french|français|fr)\b/i,
  de: /\b(german|deutsch|de)\b/i,
};

/** Starts the stand-in on `port`, or on a free port. */
export async function startOpenAiStandIn(port = 0): Promise<OpenAiStandIn> {
  const calls: StandInCall[] = [];
  const rules: Rule[] = [];
  const media: MediaContext = { calls: [], rules: [] };
  const server = createServer((request, response) => {
    handleMedia(request, response, media)
      .then((isHandled) => (isHandled ? undefined : handle(request, response, { calls, rules })))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    media,
    behave(rule) {
      const own = { ...rule };
      rules.unshift(own);
      return () => {
        const index = rules.indexOf(own);
        if (index >= 0) rules.splice(index, 1);
      };
    },
    reset() {
      calls.length = 0;
      rules.length = 0;
      media.calls.length = 0;
      media.rules.length = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { calls, rules }: Pick<OpenAiStandIn, 'calls'> & { rules: Rule[] },
) {
  const target = `${request.method} ${request.url}`;
  if (target === 'GET /calls') return sendJson(response, 200, calls);
  if (target === 'PUT /behaviours') {
    rules.splice(0, rules.length, ...(JSON.parse(await readText(request)) as Rule[]).reverse());
    return sendJson(response, 200, {});
  }
  if (target === 'GET /v1/models')
    return sendJson(response, 200, { data: [{ id: 'stand-in', object: 'model' }] });
  if (target !== 'POST /v1/chat/completions') return sendError(response, 404, `There is no ${target}.`);

  const call = parseCall(await readText(request), request.headers.authorization);
  calls.push(call);
  response.once('close', () => {
    call.aborted = !response.writableFinished;
    call.ms = performance.now() - call.startedAt;
  });
  const rule = takeRule(rules, call.prompt);
  if (rule?.kind === 'stall' && !(call.stream && rule.after)) return;
  if (rule?.kind === 'hang-up') return response.destroy();
  if (rule?.kind === 'fail')
    return sendError(response, rule.status, rule.message ?? 'This call was set to fail.', rule.retryAfter);
  if (rule?.kind === 'refuse-temperature' && call.temperature !== undefined)
    return sendError(response, 400, "Unsupported value: 'temperature' does not support 0 with this model.");
  if (rule?.kind === 'nonsense') {
    const { type, body } = NONSENSE[rule.as];
    response.writeHead(200, { 'content-type': type }).end(body);
    return;
  }
  if (rule?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, rule.ms));
  if (rule?.kind === 'wait') await rule.until;
  const output: Output = {
    model: call.model,
    text: rule && 'text' in rule ? rule.text : defaultText(call, rule),
    finishReason: (rule?.kind === 'say' && rule.finishReason) || 'stop',
    usage: !(rule?.kind === 'say' && rule.usage === false),
    toolCalls: toolCallsOf(rule, call),
  };
  if (rule?.kind === 'call-tool' && output.toolCalls.length > 0) {
    Object.assign(output, {
      text: rule.content ?? '',
      finishReason: 'tool_calls',
      reasoning: rule.reasoning,
    });
  }
  const odd = rule?.kind === 'stream-oddly' ? rule.as : undefined;
  if (call.stream && odd !== 'whole') return streamOutput(response, output, rule);
  const body = completion(output);
  if (rule?.kind !== 'break-off') return sendJson(response, 200, body);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(JSON.stringify(body).slice(0, 80), () => response.destroy());
}

interface Output {
  model: string;
  text: string;
  finishReason: string;
  usage: boolean;
  toolCalls: ToolCall[];
  reasoning?: string;
}

function defaultText({ format, messages, prompt }: StandInCall, rule: Rule | undefined): string {
  const system = messages.find(({ role }) => role === 'system')?.content ?? '';
  const verdicts = judgePairs(prompt, rule?.kind === 'verdicts' ? rule : undefined);
  if (verdicts !== undefined) return verdicts;
  const bad = rule?.kind === 'segments' ? rule : undefined;
  const segments = translateSegments(prompt, targetLanguage(system), bad);
  if (segments !== undefined) return segments;
  const brief = writeBrief(prompt, targetLanguage(system));
  if (brief !== undefined) return brief;
  if (!format) return translate(messages);
  return JSON.stringify(
    format.json_schema ? exampleOf(format.json_schema.schema) : { text: translate(messages) },
  );
}

/** Returns a value that satisfies the schema. Knows the keywords that tests use. */
function exampleOf(schema: Record<string, unknown>): unknown {
  const { type, properties = {}, items = {}, enum: choices } = schema;
  if (Array.isArray(choices)) return choices[0];
  if (type === 'object') {
    return Object.fromEntries(
      Object.entries(properties as typeof schema).map(([name, inner]) => [
        name,
        exampleOf(inner as typeof schema),
      ]),
    );
  }
  if (type === 'array') return [exampleOf(items as typeof schema), exampleOf(items as typeof schema)];
  return { number: 1.5, integer: 1, boolean: true, null: null }[String(type)] ?? 'an example';
}

/** Sends server-sent events as OpenAI does: the role, one event for each word, the finish reason, the usage. */
async function streamOutput(response: ServerResponse, output: Output, rule: Rule | undefined) {
  const { model, text, finishReason } = output;
  const send = (choices: object[], usage?: object) => {
    const chunk = {
      id: 'chatcmpl-stand-in',
      object: 'chat.completion.chunk',
      created: 1,
      model,
      choices,
      usage,
    };
    return new Promise((resolve) => response.write(`data: ${JSON.stringify(chunk)}\n\n`, resolve));
  };
  const odd = rule?.kind === 'stream-oddly' ? rule.as : undefined;
  const choice = (delta: object, finish_reason: string | null = null) => [{ index: 0, delta, finish_reason }];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (odd === 'pings') response.write('event: ping\ndata: {"type": "ping"}\n\n');
  if (odd === 'empty-events') response.write('data:\n\n');
  await send(choice({ role: 'assistant', content: '' }));
  if (rule?.kind === 'think') await send(choice({ reasoning_content: 'Hm.' }));
  for (const word of output.reasoning?.match(/\S+\s*/g) ?? [])
    await send(choice({ reasoning_content: word }));
  const pieces = text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
  for (const [index, piece] of pieces.entries()) {
    if (rule?.kind === 'stall' && index === rule.after) return;
    if (rule?.kind === 'break-off' && index === rule.after) return response.destroy();
    const pauseMs = rule?.kind === 'drip' ? rule.ms : rule?.kind === 'segments' ? rule.dripMs : undefined;
    if (pauseMs !== undefined) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (response.destroyed) return;
    await send(choice({ content: piece }));
  }
  for (const delta of toolDeltas(output.toolCalls)) await send(choice(delta));
  if (odd !== 'no-finish-reason') await send(choice({}, finishReason));
  if (odd === 'no-choices')
    response.write(`data: ${JSON.stringify({ choices: null, usage: usageOf(text) })}\n\n`);
  else if (output.usage) await send([], usageOf(text));
  response.end('data: [DONE]\n\n');
}

function takeRule(rules: Rule[], prompt: string): Rule | undefined {
  const index = rules.findIndex(({ when }) => {
    if (when === undefined) return true;
    return typeof when === 'string' ? prompt.includes(when) : new RegExp(when).test(prompt);
  });
  const rule = rules[index];
  if (rule?.times !== undefined) {
    rule.times -= 1;
    if (rule.times <= 0) rules.splice(index, 1);
  }
  return rule;
}

/**
 * Returns the text that follows the instruction, marked with the language that the instruction names. The instruction
 * ends at the first empty line, or else at the first colon. System messages are part of the instruction.
 */
function translate(messages: StandInMessage[]): string {
  const prompt = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const [, lead = '', text = prompt] =
    /^([\s\S]*?)\n\s*\n([\s\S]*)$/.exec(prompt) ?? /^([^:]*):([\s\S]*)$/.exec(prompt) ?? [];
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const language = targetLanguage([lead, ...system].join('\n'));
  // What the create page asks for is checked: English with a mark is no translation.
  if (/^Translate the following .*medical text /.test(lead)) return markedTranslation(text.trim(), language);
  const mark = `[${language}] `;
  return mark + text.trim().replaceAll(/\n\s*\n/g, (gap) => gap + mark);
}

/** Returns the language named after "to", "into" or "in", or the first one that is named, or `xx`. */
function targetLanguage(instruction: string): string {
  const targets = [...instruction.matchAll(/\b(?:to|into|in)\s+(\p{L}+)/giu)].map(([, name = '']) => name);
  for (const where of [...targets, instruction]) {
    const found = Object.entries(LANGUAGES).find(([, pattern]) => pattern.test(where));
    if (found) return found[0];
  }
  return 'xx';
}

function completion({ model, text, finishReason, usage, toolCalls, reasoning }: Output) {
  const message = {
    role: 'assistant',
    content: text,
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    ...(reasoning && { reasoning_content: reasoning }),
  };
  return {
    id: 'chatcmpl-stand-in',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message, finish_reason: finishReason }],
    ...(usage && { usage: usageOf(text) }),
  };
}

function usageOf(text: string) {
  const words = text.split(/\s+/).length;
  return { prompt_tokens: words, completion_tokens: words, total_tokens: 2 * words };
}

function sendError(response: ServerResponse, status: number, message: string, retryAfter?: number) {
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
  sendJson(response, status, { error: { message, type: 'stand_in', code: String(status) } });
}

function sendJson(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

if (import.meta.main) {
  const standIn = await startOpenAiStandIn(Number(process.argv[2] ?? 0));
  process.stdout.write(`OpenAI stand-in at ${standIn.url}\n`);
}
