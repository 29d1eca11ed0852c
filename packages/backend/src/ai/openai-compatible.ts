import type { TextAnswer } from '@fabrica/contract';
import { ServiceError } from '../http/errors.ts';
import type { LanguageModel, TextTask } from './language-model.ts';

export interface OpenAiCompatibleOptions {
  /** As far as `/v1`. */
  baseUrl: string;
  apiKey: string | undefined;
  textModel: string;
}

/** A second try helps over a model that is just starting; more would only keep the caller waiting. */
const RETRIES = 1;

/** A model behind an endpoint that speaks OpenAI's chat completions. Its package is loaded at the first call. */
export function createOpenAiCompatibleModel(options: OpenAiCompatibleOptions): LanguageModel {
  let loading: ReturnType<typeof load> | undefined;
  return {
    async generateText(task, signal) {
      loading ??= load(options);
      const { generate } = await loading;
      try {
        return requireText(await generate(task, signal));
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        throw new ServiceError(
          'AI_FAILED',
          'The language model did not answer as it should. Please try again.',
          {
            cause: withoutContents(error),
          },
        );
      }
    },
  };
}

async function load({ baseUrl, apiKey, textModel }: OpenAiCompatibleOptions) {
  const [{ generateText }, { createOpenAICompatible }] = await Promise.all([
    import('ai'),
    import('@ai-sdk/openai-compatible'),
  ]);
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: baseUrl,
    ...(apiKey && { apiKey }),
  });
  return {
    async generate(task: TextTask, signal: AbortSignal): Promise<TextAnswer> {
      const { text, finishReason, usage } = await generateText({
        model: provider.chatModel(task.model ?? textModel),
        messages: [...task.messages],
        maxRetries: RETRIES,
        abortSignal: signal,
        ...(task.instructions !== undefined && { instructions: task.instructions }),
        ...(task.maxTokens !== undefined && { maxOutputTokens: task.maxTokens }),
        ...(task.temperature !== undefined && { temperature: task.temperature }),
      });
      return {
        text,
        finishReason,
        usage: {
          inputTokens: usage.inputTokens ?? null,
          outputTokens: usage.outputTokens ?? null,
          totalTokens: usage.totalTokens ?? null,
        },
      };
    },
  };
}

/** A model that says nothing has not done what it was asked for. */
function requireText(answer: TextAnswer): TextAnswer {
  if (answer.text.trim() !== '') return answer;
  throw new ServiceError('AI_FAILED', 'The language model answered with an empty text. Please try again.');
}

/** What of a failure may be logged: the SDK's errors carry the prompt and the answer. */
function withoutContents(error: unknown): Error {
  const { name, statusCode, lastError } = error as {
    name?: string;
    statusCode?: number;
    lastError?: unknown;
  };
  if (lastError) return withoutContents(lastError);
  return new Error(
    `${name ?? 'Unknown error'}${statusCode ? `, status ${statusCode}` : ''} of the AI endpoint`,
  );
}
