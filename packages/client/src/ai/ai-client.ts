import {
  AI_SILENCE_MS,
  MAX_AI_CALL_MS,
  type ObjectRequest,
  type ObjectResponse,
  type TextRequest,
  type TextResponse,
} from '@fabrica/contract';
import { AiError } from '../http/errors.ts';
import type { HttpClient, Transport } from '../http/http.ts';
import { withIdleTimeout, withTimeout } from '../http/timeout.ts';
import { type AiMedia, createAiMedia } from './ai-media.ts';
import { parsePartialJson } from './partial-json.ts';
import { readJsonStream, readTextStream } from './read-stream.ts';
import { requireConversation, requirePrompt } from './validate-input.ts';

/** Either a `prompt` or `messages` are required. */
export interface TextOptions
  extends Pick<TextRequest, 'prompt' | 'messages' | 'system' | 'maxTokens' | 'temperature'> {
  signal?: AbortSignal | undefined;
}

export interface ObjectOptions extends Omit<ObjectRequest, 'stream'> {
  signal?: AbortSignal | undefined;
}

/**
 * Generates texts and objects. Every call throws an AiError: VALIDATION_FAILED, before anything is sent, for input
 * that docs/spec/product.md section 5 does not allow; AI_TIMEOUT when the server ends the call, after 30 s without
 * data from a streamed text, or after 20 minutes; AI_NOT_CONFIGURED, AI_FAILED, AI_QUOTA_EXCEEDED; or the reason of the caller's signal. A stream that breaks
 * has passed on its data so far.
 */
export interface AiClient extends AiMedia {
  generateText(options: TextOptions): Promise<TextResponse>;
  /** Calls `onPiece` with each piece of the text as it arrives. */
  streamText(options: TextOptions, onPiece?: (piece: string) => void): Promise<TextResponse>;
  /** Returns an object that the server has checked against the schema. */
  generateObject<T = unknown>(options: ObjectOptions): Promise<ObjectResponse<T>>;
  /** Calls `onPartial` with the object so far, each time that it has grown. */
  streamObject<T = unknown>(
    options: ObjectOptions,
    onPartial?: (partial: unknown) => void,
  ): Promise<{ object: T }>;
}

interface AiClientOptions {
  http: HttpClient;
  projectId: string;
  /** Reads streams while they arrive. */
  fetch: Transport;
}

export function createAiClient({ http, projectId, fetch }: AiClientOptions): AiClient {
  const base = `/api/ai/${encodeURIComponent(projectId)}`;
  const call = { service: 'ai', method: 'POST' } as const;

  function post(path: string, { signal: callerSignal, ...json }: TextOptions | ObjectOptions) {
    return withTimeout((signal) => http.request({ ...call, path: base + path, json, signal }), {
      ms: MAX_AI_CALL_MS,
      signal: callerSignal,
      error: timeoutError,
    });
  }

  /** Returns what `read` makes of the stream, which may be silent for `ms`. */
  async function stream<T>(
    path: string,
    { signal: callerSignal, ...input }: TextOptions | ObjectOptions,
    { ms, read }: { ms: number; read(response: Response, onBytes: () => void): Promise<T> },
  ): Promise<T> {
    let result: { read: T } | undefined;
    await withIdleTimeout(
      (signal, onActivity) => {
        const transport: Transport = async (url, init) => {
          const response = await fetch(url, init);
          onActivity();
          if (!response.ok) return response;
          result = { read: await read(response, onActivity) };
          return new Response();
        };
        const json = { ...input, stream: true };
        const headers = { accept: 'text/event-stream, text/plain, application/json' };
        return http.request({ ...call, path: base + path, json, headers, signal, transport });
      },
      { ms, signal: callerSignal, error: timeoutError },
    );
    if (!result) throw new AiError('AI_FAILED', 'Nothing came back.');
    return result.read;
  }

  return {
    ...createAiMedia({ http, projectId }),
    async generateText(options) {
      requireConversation(options);
      const { body, status } = await post('/text', options);
      const result = body as TextResponse | null;
      if (typeof result?.text !== 'string') throw new AiError('AI_FAILED', 'No text came back.', { status });
      return result;
    },
    async streamText(options, onPiece) {
      requireConversation(options);
      const result = await stream('/text', options, {
        ms: AI_SILENCE_MS,
        read: (response, onBytes) => readTextStream(response, { onBytes, onPiece }),
      });
      if (result instanceof AiError) throw result;
      return result;
    },
    async generateObject<T>(options: ObjectOptions) {
      requirePrompt(options);
      const { body, status } = await post('/object', options);
      const result = body as ObjectResponse<T> | null;
      if (result?.object === undefined) throw new AiError('AI_FAILED', 'No object came back.', { status });
      return result;
    },
    async streamObject<T>(options: ObjectOptions, onPartial?: (partial: unknown) => void) {
      requirePrompt(options);
      const onGrowth = onPartial && callWithPartial(onPartial);
      const json = await stream('/object', options, {
        // There is no comment in JSON: nothing can be sent within it while the model is silent.
        ms: MAX_AI_CALL_MS,
        read: (response, onBytes) => readJsonStream(response, { onBytes, onGrowth }),
      });
      return { object: parseObject<T>(json) };
    },
  };
}

const timeoutError = () => new AiError('AI_TIMEOUT', 'The text took too long to write.');

/** Returns a function that takes incomplete JSON, and calls `onPartial` each time that its value has changed. */
function callWithPartial(onPartial: (partial: unknown) => void): (json: string) => void {
  let last = '';
  return (json) => {
    const partial = parsePartialJson(json);
    if (partial === undefined) return;
    const text = JSON.stringify(partial);
    if (text !== last) onPartial(partial);
    last = text;
  };
}

function parseObject<T>(json: string): T {
  try {
    return JSON.parse(json) as T;
  } catch (cause) {
    throw new AiError('AI_FAILED', 'No whole object came back.', { cause });
  }
}
