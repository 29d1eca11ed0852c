/**
 * A stand-in for an OpenAI-compatible endpoint, for tests and for trying things out without a model.
 * It answers `POST /v1/chat/completions` with a "translation" that anyone can tell: the same text with
 * the language it was asked for in front, `[de] The heart`. It can be told to fail, stall or talk nonsense.
 *
 * In a test process: `const ai = await startOpenAiStandIn()`, then `AI_BASE_URL = ai.url`.
 * By itself: `node tests/openai-stand-in.ts 4010`; then `PUT /behaviours` takes the list that `behave`
 * takes one by one (with plain strings for `when`), and `GET /calls` tells what came in.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StandInMessage {
  role: string;
  content: string;
}

/** One request as it came in. */
export interface StandInCall {
  model: string;
  messages: StandInMessage[];
  /** What the last user message says: the prompt. */
  prompt: string;
  maxTokens: number | undefined;
  temperature: number | undefined;
  authorization: string | undefined;
  /** The caller left before it had its answer. */
  aborted: boolean;
}

export type Behaviour =
  /** Answers with this status and OpenAI's error form. */
  | { kind: 'fail'; status: number; retryAfter?: number }
  /** Never answers. */
  | { kind: 'stall' }
  /** Translates, but only after this many milliseconds. */
  | { kind: 'delay'; ms: number }
  /** Says exactly this. */
  | { kind: 'say'; text: string; finishReason?: string }
  /** Answers 200 with something that is no answer. */
  | { kind: 'nonsense'; as: Nonsense }
  /** Closes the connection without a word. */
  | { kind: 'hang-up' };

export type Nonsense = 'invalid-json' | 'empty-choices' | 'empty-text' | 'html' | 'other-json';

export type Rule = Behaviour & {
  /** Which calls: those whose prompt has this in it. All, if left out. */
  when?: string | RegExp;
  /** How many calls; all, if left out. */
  times?: number;
};

export interface OpenAiStandIn {
  /** The base address, `http://127.0.0.1:<port>/v1`, as AI_BASE_URL takes it. */
  url: string;
  /** Every call so far, oldest first. */
  calls: StandInCall[];
  /** Adds a rule; the newest rule that fits a call decides. Answers the function that takes it back. */
  behave(rule: Rule): () => void;
  /** Forgets rules and calls. */
  reset(): void;
  close(): Promise<void>;
}

const NONSENSE: Record<Nonsense, { type: string; body: string }> = {
  'invalid-json': { type: 'application/json', body: '{"choices":[{"message":{"content":"[de] Das He' },
  'empty-choices': { type: 'application/json', body: JSON.stringify({ id: 'x', model: 'x', choices: [] }) },
  'empty-text': { type: 'application/json', body: JSON.stringify(completion('stand-in', '', 'stop')) },
  html: { type: 'text/html', body: '<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>' },
  'other-json': { type: 'application/json', body: JSON.stringify({ hello: ['world'] }) },
};

const LANGUAGES: Record<string, RegExp> = {
  en: /\b(english|en)\b/i,
  es: /\b(spanish|español|es)\b/i,
  fr: /\b(french|français|fr)\b/i,
  de: /\b(german|deutsch|de)\b/i,
};

/** Starts the stand-in on `port`, or on a free one. */
export async function startOpenAiStandIn(port = 0): Promise<OpenAiStandIn> {
  const calls: StandInCall[] = [];
  const rules: Rule[] = [];
  const server = createServer((request, response) => {
    answer(request, response, calls, rules).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
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
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  calls: StandInCall[],
  rules: Rule[],
) {
  const address = `${request.method} ${request.url}`;
  if (address === 'GET /calls') return sendJson(response, 200, calls);
  if (address === 'PUT /behaviours') {
    rules.splice(0, rules.length, ...(JSON.parse(await readBody(request)) as Rule[]).reverse());
    return sendJson(response, 200, {});
  }
  if (address === 'GET /v1/models')
    return sendJson(response, 200, { data: [{ id: 'stand-in', object: 'model' }] });
  if (address !== 'POST /v1/chat/completions') return sendError(response, 404, `Nothing at ${address}`);

  const call = parseCall(await readBody(request), request.headers.authorization);
  calls.push(call);
  response.once('close', () => {
    call.aborted = !response.writableFinished;
  });
  const rule = takeRule(rules, call.prompt);
  if (rule?.kind === 'stall') return;
  if (rule?.kind === 'hang-up') return response.destroy();
  if (rule?.kind === 'fail') return sendError(response, rule.status, 'Told to fail.', rule.retryAfter);
  if (rule?.kind === 'nonsense') {
    const { type, body } = NONSENSE[rule.as];
    response.writeHead(200, { 'content-type': type }).end(body);
    return;
  }
  if (rule?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, rule.ms));
  const text = rule?.kind === 'say' ? rule.text : translate(call.messages);
  const finishReason = rule?.kind === 'say' ? rule.finishReason : 'stop';
  sendJson(response, 200, completion(call.model, text, finishReason ?? 'stop'));
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

function parseCall(body: string, authorization: string | undefined): StandInCall {
  const { model, messages, max_tokens, temperature } = JSON.parse(body) as {
    model: string;
    messages: { role: string; content: string | { text?: string }[] }[];
    max_tokens?: number;
    temperature?: number;
  };
  const plain = messages.map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? content : content.map((part) => part.text ?? '').join(''),
  }));
  return {
    model,
    messages: plain,
    prompt: plain.findLast(({ role }) => role === 'user')?.content ?? '',
    maxTokens: max_tokens,
    temperature,
    authorization,
    aborted: false,
  };
}

/**
 * The text behind the instruction, marked with the language that the instruction names. The instruction
 * ends at the first empty line, else at the first colon; a system message counts as instruction too.
 */
function translate(messages: StandInMessage[]): string {
  const prompt = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const [, lead = '', text = prompt] =
    /^([\s\S]*?)\n\s*\n([\s\S]*)$/.exec(prompt) ?? /^([^:]*):([\s\S]*)$/.exec(prompt) ?? [];
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  return `[${targetLanguage([lead, ...system].join('\n'))}] ${text.trim()}`;
}

/** The language named after "to", "into" or "in"; else the first one named at all; else `xx`. */
function targetLanguage(instruction: string): string {
  const targets = [...instruction.matchAll(/\b(?:to|into|in)\s+(\p{L}+)/giu)].map(([, name = '']) => name);
  for (const where of [...targets, instruction]) {
    const found = Object.entries(LANGUAGES).find(([, pattern]) => pattern.test(where));
    if (found) return found[0];
  }
  return 'xx';
}

function completion(model: string, text: string, finishReason: string) {
  const words = text.split(/\s+/).length;
  return {
    id: 'chatcmpl-stand-in',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finishReason }],
    usage: { prompt_tokens: words, completion_tokens: words, total_tokens: 2 * words },
  };
}

function sendError(response: ServerResponse, status: number, message: string, retryAfter?: number) {
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
  sendJson(response, status, { error: { message, type: 'stand_in', code: String(status) } });
}

function sendJson(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

if (import.meta.main) {
  const standIn = await startOpenAiStandIn(Number(process.argv[2] ?? 0));
  process.stdout.write(`OpenAI stand-in at ${standIn.url}\n`);
}
