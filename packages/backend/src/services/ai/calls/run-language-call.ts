import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { TokenUsage } from '@fabrica/contract';
import type { Context } from 'hono';
import { type Caller, requireSignedIn } from '../../../core/caller.ts';
import type { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { loggedPath } from '../../../http/request-context.ts';
import type { AiContext } from '../context.ts';
import { outcomeOf } from '../usage/ai-usage.ts';
import { CHARACTERS_PER_TOKEN, estimateTokens, type ModelStep } from './estimate-tokens.ts';
import { type GeneratedText, generateText, type Step, streamText } from './language-model.ts';
import { clientClosedRequest, modelError } from './model-errors.ts';

/** A call of a language model whose usage is counted. */
export interface LanguageCall {
  model: LanguageModelV4;
  /** Aborted when the caller leaves. */
  signal: AbortSignal;
  /** Milliseconds that a model may be silent, once it is the call's turn. */
  timeout: number;
  /**
   * Generates a text as `generateText` does. The tokens of all steps count together. `maxMs` shortens the timeout of
   * this step.
   */
  generate(modelRequest: LanguageModelV4CallOptions, maxMs?: number): Promise<GeneratedText>;
  stream(modelRequest: LanguageModelV4CallOptions): AsyncGenerator<string, Step, undefined>;
  /** Records the call as successful. Only the first recorded outcome of a call counts. */
  succeed(): void;
  /** Records and logs a failure after the response began. Returns the error that the caller may see. */
  fail(error: unknown): AppError;
  /** Records that the caller disconnected, as the reader of a stream may. */
  disconnected(): void;
}

/** Tokens that a response is expected to have when the request sets no limit. */
const USUAL_RESPONSE_TOKENS = 1_000;

/** The fields of a request that choose the model and limit its tokens. */
interface RequestedModel {
  model?: string | null | undefined;
  maxTokens?: number | null | undefined;
}

/** Says who makes a call, and how much it may use. */
interface CallOwner {
  project: Project;
  caller: Exclude<Caller, { kind: 'anonymous' }>;
  /** The IP address of a visitor. */
  clientIp?: string | undefined;
  /** The capability whose configured model is called; `text` by default. */
  capability?: 'text' | 'judge' | 'vision' | undefined;
  /** The model at the provider; the configured one by default. */
  model?: string | undefined;
  /** Tokens that the call may use. */
  expected: number;
  /** Is called with an error after the response began, unless the caller has left. */
  onFailure(error: AppError): void;
}

/** A call that is counted, until `end` records how it ended. */
interface OpenCall extends LanguageCall {
  /** The name of the model at the provider. */
  name: string;
  end(outcome: ReturnType<typeof outcomeOf>): void;
}

/** Begins a call of a language model and counts its usage. Throws AI_NOT_CONFIGURED and AI_QUOTA_EXCEEDED. */
export async function openLanguageCall(
  { models, usage, timeout, semaphore, temperatures }: AiContext,
  { project, caller, clientIp, capability = 'text', model: requestedModel, expected, onFailure }: CallOwner,
): Promise<OpenCall> {
  const { name, model } = await models[capability](requestedModel);
  const disconnect = new AbortController();
  const { signal } = disconnect;
  const key = `${project.definition.id}:${caller.kind === 'user' ? caller.id : ''}`;
  const countedCall = await usage.begin({ project, caller, clientIp, capability, model: name, expected });
  const steps: ModelStep[] = [];
  const end: OpenCall['end'] = (outcome) => {
    // A call that the provider refuses costs nothing; one that it has begun may.
    const isPaid = ['OK', 'ABORTED', 'AI_TIMEOUT'].includes(outcome);
    const paidSteps = steps.filter(({ written }) => isPaid || written > 0);
    countedCall.end(outcome, paidSteps.length > 0 ? estimateTokens(paidSteps) : undefined);
  };
  const startStep = (modelRequest: LanguageModelV4CallOptions, maxMs = timeout) => {
    const step: ModelStep = { modelRequest, written: 0, reported: undefined };
    steps.push(step);
    const meter = {
      wrote(characters: number) {
        step.written += characters;
      },
      used(tokens: TokenUsage) {
        step.reported = tokens;
      },
    };
    return { model, modelRequest, signal, timeout: Math.min(timeout, maxMs), meter, temperatures };
  };
  return {
    name,
    model,
    signal,
    timeout,
    end,
    disconnected() {
      disconnect.abort();
      end('ABORTED');
    },
    generate: (modelRequest, maxMs) =>
      semaphore.run(() => generateText(startStep(modelRequest, maxMs)), { key, signal }),
    async *stream(modelRequest) {
      const release = await semaphore.acquire({ key, signal });
      try {
        return yield* streamText(startStep(modelRequest));
      } finally {
        release();
      }
    },
    succeed: () => end('OK'),
    fail(error) {
      const failure = modelError(error);
      end(outcomeOf(failure, signal));
      if (!signal.aborted) onFailure(failure);
      return failure;
    },
  };
}

/**
 * Runs a call of a language model for a request. `respond` makes the response; if it throws, the call ends. The end of a
 * streamed response is reported by the stream, through `succeed`, `fail` or `disconnected`. Throws AI_NOT_CONFIGURED,
 * AI_QUOTA_EXCEEDED, and what `respond` throws.
 */
export async function runLanguageCall(
  c: Context<AppEnvironment>,
  context: AiContext,
  { model, maxTokens }: RequestedModel,
  respond: (call: LanguageCall) => Promise<Response>,
): Promise<Response> {
  const caller = requireSignedIn(c.var.caller);
  const { project, requestId } = c.var;
  const promptTokens = Number(c.req.header('content-length') ?? 0) / CHARACTERS_PER_TOKEN;
  const call = await openLanguageCall(context, {
    project,
    caller,
    // The operator pays for the model and chooses it; only the secret key, which is the operator’s, may choose another.
    model: caller.kind === 'service' ? (model ?? undefined) : undefined,
    expected: Math.ceil(promptTokens) + (maxTokens ?? USUAL_RESPONSE_TOKENS),
    onFailure: (err) => context.log.error({ requestId, path: loggedPath(c.req.path), err }),
  });
  const { signal } = call;
  c.req.raw.signal.addEventListener('abort', call.disconnected, { once: true });
  if (c.req.raw.signal.aborted) call.disconnected();
  try {
    return await respond(call);
  } catch (error) {
    call.end(outcomeOf(error, signal));
    if (signal.aborted) return clientClosedRequest();
    throw error;
  }
}
