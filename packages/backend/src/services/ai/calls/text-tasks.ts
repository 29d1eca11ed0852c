import type { LanguageModelV4FilePart } from '@ai-sdk/provider';
import type { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import type { AiContext } from '../context.ts';
import { visitors } from '../usage/ai-usage.ts';
import { CHARACTERS_PER_TOKEN, IMAGE_TOKENS } from './estimate-tokens.ts';
import { modelError } from './model-errors.ts';
import { openLanguageCall } from './run-language-call.ts';

/** A text that a service of the product asks the language model for. */
export interface TextTask {
  project: Project;
  /** The account whose budget of the day the call counts against; null for that of visitors without one. */
  account: string | null;
  /** The IP address of a visitor: its network has a share of the visitors' budget. */
  clientIp?: string | undefined;
  /** The text that the model reads before the prompt. */
  system: string;
  prompt: string;
  /** A picture that the text is about. The task then goes to the model that sees pictures. */
  image?: ImageOfTask | undefined;
  /** `judge` for the model that reads what another one has written; `text` by default. */
  capability?: 'text' | 'judge' | undefined;
  /** Tokens that the response may have. */
  maxTokens: number;
  /** 0 for the most probable words; the model's own by default. */
  temperature?: number | undefined;
  /** Ends the call, also while it waits for its turn. */
  signal: AbortSignal;
  /** Is called with each piece of the text as it comes. */
  onPiece?(piece: string): void;
}

interface ImageOfTask {
  bytes: Uint8Array;
  /** Such as `image/jpeg`. */
  contentType: string;
}

export interface TextOfTask {
  text: string;
  /** `stop` for a text that is whole, `length` for one that the limit has cut off. */
  finishReason: string;
  /** The name of the model at the provider. */
  model: string;
}

/**
 * Generates a text. It waits for its turn among the calls of all accounts; overloaded and broken providers are called up to
 * three times. Throws AI_NOT_CONFIGURED, AI_QUOTA_EXCEEDED, AI_TIMEOUT, AI_FAILED, or an AbortError once the signal is aborted.
 */
export async function runTextTask(context: AiContext, task: TextTask): Promise<TextOfTask> {
  const { project, account, clientIp, system, prompt, image, maxTokens, temperature, signal, onPiece } = task;
  signal.throwIfAborted();
  let failure: AppError | undefined;
  const promptTokens = Math.ceil((system.length + prompt.length) / CHARACTERS_PER_TOKEN);
  const call = await openLanguageCall(context, {
    project,
    capability: image ? 'vision' : task.capability,
    caller: account === null ? visitors : { ...visitors, id: account },
    clientIp,
    expected: promptTokens + (image ? IMAGE_TOKENS : 0) + maxTokens,
    onFailure(error) {
      failure = error;
    },
  });
  signal.addEventListener('abort', call.disconnected, { once: true });
  if (signal.aborted) call.disconnected();
  try {
    const pieces = call.stream({
      prompt: [
        { role: 'system', content: system },
        { role: 'user', content: [{ type: 'text', text: prompt }, ...(image ? [imagePart(image)] : [])] },
      ],
      maxOutputTokens: maxTokens,
      ...(temperature !== undefined && { temperature }),
    });
    let text = '';
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) {
        call.succeed();
        return { text, finishReason: value.finishReason, model: call.name };
      }
      text += value;
      onPiece?.(value);
    }
  } catch (error) {
    call.fail(error);
    signal.throwIfAborted();
    throw failure ?? modelError(error);
  } finally {
    signal.removeEventListener('abort', call.disconnected);
  }
}

function imagePart({ bytes, contentType }: ImageOfTask): LanguageModelV4FilePart {
  return { type: 'file', mediaType: contentType, data: { type: 'data', data: bytes } };
}
