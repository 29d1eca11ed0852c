import { AI_TIMEOUT_MS, type ChatMessage, type TextAnswer } from '@fabrica/contract';
import { AiError } from './errors.ts';
import type { Http } from './http.ts';
import { withTimeLimit } from './timeout.ts';

export interface TextOptions {
  /** This, or messages. */
  prompt?: string | undefined;
  messages?: readonly ChatMessage[] | undefined;
  system?: string | undefined;
  maxTokens?: number | undefined;
  temperature?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface Ai {
  /**
   * Throws an AiError: VALIDATION_FAILED without a prompt and messages, AI_TIMEOUT after 30 s,
   * AI_NOT_CONFIGURED, AI_FAILED, AI_QUOTA_EXCEEDED; or the reason of the caller's signal.
   */
  generateText(options: TextOptions): Promise<TextAnswer>;
}

export function createAi({ http, projectId }: { http: Http; projectId: string }): Ai {
  const path = `/api/ai/${encodeURIComponent(projectId)}/text`;
  return {
    async generateText({ signal: given, ...json }) {
      if (!json.prompt?.trim() && !json.messages?.length) {
        throw new AiError('VALIDATION_FAILED', 'A prompt or messages are required.');
      }
      const { body, status } = await withTimeLimit(
        (signal) => http.request({ service: 'ai', method: 'POST', path, json, signal }),
        {
          ms: AI_TIMEOUT_MS,
          signal: given,
          error: () => new AiError('AI_TIMEOUT', 'The text took too long to write.'),
        },
      );
      const answer = body as TextAnswer | null;
      if (typeof answer?.text !== 'string') throw new AiError('AI_FAILED', 'No text came back.', { status });
      return answer;
    },
  };
}
