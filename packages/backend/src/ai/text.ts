import { AI_TIMEOUT_MS, type TextAnswer } from '@fabrica/contract';
import type { textRequest } from '@fabrica/contract/schemas';
import type { z } from 'zod';
import type { Caller } from '../http/caller.ts';
import { ServiceError } from '../http/errors.ts';
import type { Conversation, LanguageModel, TextTask } from './language-model.ts';

/** One request as the model takes it. */
export function toTask(request: z.infer<typeof textRequest>, caller: Caller): TextTask {
  const messages = request.messages ?? [];
  const said = messages.filter((message): message is Conversation => message.role !== 'system');
  const instructions = [
    request.system ?? request.systemPrompt,
    ...messages.filter(({ role }) => role === 'system').map(({ content }) => content),
  ].filter((text) => text?.trim());
  const prompt = request.prompt?.trim() ? [{ role: 'user' as const, content: request.prompt }] : [];
  return {
    instructions: instructions.join('\n\n') || undefined,
    messages: [...said, ...prompt],
    // The operator pays for the model, so the operator names it; whoever holds the secret key is the operator.
    model: caller.kind === 'service' ? (request.model ?? undefined) : undefined,
    maxTokens: request.maxTokens ?? undefined,
    temperature: request.temperature ?? undefined,
  };
}

export interface GenerateOptions {
  model: LanguageModel;
  /** Aborted when the caller leaves. */
  callerSignal: AbortSignal;
  /** Milliseconds. */
  timeout?: number;
}

/** Asks the model, for as long as the caller waits and 30 s at most; throws AI_TIMEOUT or AI_FAILED. */
export async function generateText(
  task: TextTask,
  { model, callerSignal, timeout = AI_TIMEOUT_MS }: GenerateOptions,
): Promise<TextAnswer> {
  const tooLong = AbortSignal.timeout(timeout);
  try {
    return await model.generateText(task, AbortSignal.any([callerSignal, tooLong]));
  } catch (error) {
    if (!tooLong.aborted || callerSignal.aborted) throw error;
    throw new ServiceError('AI_TIMEOUT', 'The language model took too long to answer. Please try again.');
  }
}
