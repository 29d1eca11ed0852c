import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { TokenUsage } from '@fabrica/contract';
import type { Context } from 'hono';
import { requireSignedIn } from '../../../core/caller.ts';
import type { AppError } from '../../../core/errors.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { loggedPath } from '../../../http/request-context.ts';
import type { AiContext } from '../context.ts';
import { outcomeOf } from '../usage/ai-usage.ts';
import { estimateTokens, type Known } from './estimate-tokens.ts';
import { type Step, stream, type Written, write } from './language-model.ts';
import { clientClosedRequest, modelError } from './model-errors.ts';

/** A call of a language model that is counted and under way. */
export interface LanguageCall {
  model: LanguageModelV4;
  /** Aborted when the caller leaves. */
  signal: AbortSignal;
  /** Milliseconds that a model may take to its first byte. */
  timeout: number;
  /** As in language-model.ts; all askings of one call are counted together. `atMost` shortens the time for this one. */
  write(question: LanguageModelV4CallOptions, atMost?: number): Promise<Written>;
  stream(question: LanguageModelV4CallOptions): AsyncGenerator<string, Step, undefined>;
  /** The caller has what it asked for; the ledger takes the first word on how a call ended. */
  succeed(): void;
  /** The answer broke off behind its beginning: counts and logs it, and tells it in our words. */
  fail(error: unknown): AppError;
  /** The caller has left, as the reader of a stream does. */
  leave(): void;
}

/** Tokens that an answer is expected to have, where the request does not say how many it may. */
const USUAL_ANSWER = 1_000;
const CHARACTERS_OF_A_TOKEN = 4;

/** What of a request is for more than the model. */
export interface Wanted {
  model?: string | null | undefined;
  maxTokens?: number | null | undefined;
}

/**
 * Has `answer` answer a call, counted from its beginning; a failure before there is an answer ends it. Throws AI_NOT_CONFIGURED,
 * AI_QUOTA_EXCEEDED, and what `answer` throws. The end of a streamed answer is for the stream to tell.
 */
export async function runLanguageCall(
  c: Context<AppEnvironment>,
  { models, usage, log, timeout }: AiContext,
  { model: wanted, maxTokens }: Wanted,
  answer: (call: LanguageCall) => Promise<Response>,
): Promise<Response> {
  const caller = requireSignedIn(c.var.caller);
  // The operator pays for the model, so the operator names it; whoever holds the secret key is the operator.
  const { name, model } = await models.text(caller.kind === 'service' ? (wanted ?? undefined) : undefined);
  const leaving = new AbortController();
  const { signal } = leaving;
  const { project, requestId } = c.var;
  const asked = Number(c.req.header('content-length') ?? 0) / CHARACTERS_OF_A_TOKEN;
  const expected = Math.ceil(asked) + (maxTokens ?? USUAL_ANSWER);
  const counted = await usage.begin({ project, caller, capability: 'text', model: name, expected });
  const steps: Known[] = [];
  const end = (outcome: ReturnType<typeof outcomeOf>) => {
    // What a provider refuses or fails to begin with costs nothing; whatever it has begun may.
    const isPaid = ['OK', 'ABORTED', 'AI_TIMEOUT'].includes(outcome);
    const paid = steps.filter(({ written }) => isPaid || written > 0);
    counted.end(outcome, paid.length > 0 ? estimateTokens(paid) : undefined);
  };
  const leave = () => {
    leaving.abort();
    end('ABORTED');
  };
  c.req.raw.signal.addEventListener('abort', leave, { once: true });
  if (c.req.raw.signal.aborted) leave();
  const ask = (question: LanguageModelV4CallOptions, atMost = timeout) => {
    const step: Known = { question, written: 0, reported: undefined };
    steps.push(step);
    const meter = {
      wrote(characters: number) {
        step.written += characters;
      },
      used(tokens: TokenUsage) {
        step.reported = tokens;
      },
    };
    return { model, question, signal, timeout: Math.min(timeout, atMost), meter };
  };
  const call: LanguageCall = {
    model,
    signal,
    timeout,
    leave,
    write: (question, atMost) => write(ask(question, atMost)),
    stream: (question) => stream(ask(question)),
    succeed: () => end('OK'),
    fail(error) {
      const failure = modelError(error);
      end(outcomeOf(failure, signal));
      if (!signal.aborted) log.error({ requestId, path: loggedPath(c.req.path), err: failure });
      return failure;
    },
  };
  try {
    return await answer(call);
  } catch (error) {
    end(outcomeOf(error, signal));
    if (signal.aborted) return clientClosedRequest();
    throw error;
  }
}
