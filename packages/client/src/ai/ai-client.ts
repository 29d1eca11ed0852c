import {
  AI_TIMEOUT_MS,
  type ChatMessage,
  isAiImageUrl,
  type ObjectRequestBody,
  type ObjectResponse,
  type TextResponse,
} from '@fabrica/contract';
import { AiError } from '../http/errors.ts';
import type { HttpClient, Transport } from '../http/http.ts';
import { withIdleTimeout, withTimeout } from '../http/timeout.ts';
import { type AiMedia, createAiMedia } from './ai-media.ts';
import { parsePartialJson } from './partial-json.ts';
import { readJsonStream, readTextStream } from './read-stream.ts';

export interface TextOptions {
  /** This, or messages. */
  prompt?: string | undefined;
  messages?: readonly ChatMessage[] | undefined;
  system?: string | undefined;
  maxTokens?: number | undefined;
  temperature?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface ObjectOptions extends Omit<ObjectRequestBody, 'stream'> {
  signal?: AbortSignal | undefined;
}

/**
 * Each throws an AiError: VALIDATION_FAILED for what docs/spec/product.md section 5 does not allow, which is then not sent; AI_TIMEOUT after 30 s,
 * of a stream after 30 s in which nothing comes; AI_NOT_CONFIGURED, AI_FAILED, AI_QUOTA_EXCEEDED; or the reason of the caller's
 * signal. What a stream brought before it broke was handed over piece by piece.
 */
export interface AiClient extends AiMedia {
  generateText(options: TextOptions): Promise<TextResponse>;
  /** `onPiece` is called with each piece of the text as it comes. */
  streamText(options: TextOptions, onPiece?: (piece: string) => void): Promise<TextResponse>;
  /** Fits the schema: the server has looked. */
  generateObject<T = unknown>(options: ObjectOptions): Promise<ObjectResponse<T>>;
  /** `onPartial` is called with what there is of the object, each time that there is more of it. */
  streamObject<T = unknown>(
    options: ObjectOptions,
    onPartial?: (partial: unknown) => void,
  ): Promise<{ object: T }>;
}

export interface AiClientOptions {
  http: HttpClient;
  projectId: string;
  /** Streams are read from it as they come. */
  fetch: Transport;
}

export function createAiClient({ http, projectId, fetch }: AiClientOptions): AiClient {
  const base = `/api/ai/${encodeURIComponent(projectId)}`;
  const call = { service: 'ai', method: 'POST' } as const;

  async function ask(path: string, { signal: given, ...json }: TextOptions | ObjectOptions) {
    return withTimeout((signal) => http.request({ ...call, path: base + path, json, signal }), {
      ms: AI_TIMEOUT_MS,
      signal: given,
      error: tookTooLong,
    });
  }

  /** The whole stream as one answer; `read` hands over its pieces. */
  async function stream<T>(
    path: string,
    { signal: given, ...asked }: TextOptions | ObjectOptions,
    read: (response: Response, onBytes: () => void) => Promise<T>,
  ): Promise<T> {
    let result: { read: T } | undefined;
    await withIdleTimeout(
      (signal, isHeard) => {
        const transport: Transport = async (url, init) => {
          const response = await fetch(url, init);
          isHeard();
          if (!response.ok) return response;
          result = { read: await read(response, isHeard) };
          return new Response();
        };
        const json = { ...asked, stream: true };
        const headers = { accept: 'text/event-stream, text/plain, application/json' };
        return http.request({ ...call, path: base + path, json, headers, signal, transport });
      },
      { ms: AI_TIMEOUT_MS, signal: given, error: tookTooLong },
    );
    if (!result) throw new AiError('AI_FAILED', 'Nothing came back.');
    return result.read;
  }

  return {
    ...createAiMedia({ http, projectId }),
    async generateText(options) {
      requireConversation(options);
      const { body, status } = await ask('/text', options);
      const answer = body as TextResponse | null;
      if (typeof answer?.text !== 'string') throw new AiError('AI_FAILED', 'No text came back.', { status });
      return answer;
    },
    async streamText(options, onPiece) {
      requireConversation(options);
      const answer = await stream('/text', options, (response, onBytes) =>
        readTextStream(response, { onBytes, onPiece }),
      );
      if (answer instanceof AiError) throw answer;
      return answer;
    },
    async generateObject<T>(options: ObjectOptions) {
      requirePrompt(options);
      const { body, status } = await ask('/object', options);
      const answer = body as ObjectResponse<T> | null;
      if (answer?.object === undefined) throw new AiError('AI_FAILED', 'No object came back.', { status });
      return answer;
    },
    async streamObject<T>(options: ObjectOptions, onPartial?: (partial: unknown) => void) {
      requirePrompt(options);
      let shown = '';
      const json = await stream('/object', options, (response, onBytes) =>
        readJsonStream(response, {
          onBytes,
          onGrowth: (sofar) => {
            const partial = onPartial && parsePartialJson(sofar);
            if (partial === undefined) return;
            const showing = JSON.stringify(partial);
            if (showing !== shown) onPartial?.(partial);
            shown = showing;
          },
        }),
      );
      return { object: requireJson<T>(json) };
    },
  };
}

const tookTooLong = () => new AiError('AI_TIMEOUT', 'The text took too long to write.');

function requireConversation({ prompt, messages }: TextOptions): void {
  if (!prompt?.trim() && !messages?.length) throw invalid('Prompt or messages required.');
  for (const [index, { content }] of (messages ?? []).entries()) {
    if (typeof content === 'string') continue;
    if (content.every((part) => part.type !== 'image' || isAiImageUrl(part.image))) continue;
    throw invalid(
      `The images of message ${index + 1} must be HTTPS addresses that end in jpg, jpeg, png, gif or webp.`,
    );
  }
}

function requirePrompt({ prompt }: ObjectOptions): void {
  if (typeof prompt !== 'string' || !prompt.trim()) throw invalid('A prompt is required.');
}

function requireJson<T>(json: string): T {
  try {
    return JSON.parse(json) as T;
  } catch (cause) {
    throw new AiError('AI_FAILED', 'No whole object came back.', { cause });
  }
}

function invalid(message: string): AiError {
  return new AiError('VALIDATION_FAILED', message);
}
