import type { ChatMessage, TextAnswer } from '@fabrica/contract';

/** What a model is asked to say. */
export interface TextTask {
  /** How to go about it. */
  instructions: string | undefined;
  /** The conversation so far; never empty, and none of them a system message. */
  messages: readonly Conversation[];
  /** The model's name as its endpoint knows it; the configured one, if left out. */
  model: string | undefined;
  maxTokens: number | undefined;
  temperature: number | undefined;
}

export type Conversation = ChatMessage & { role: 'user' | 'assistant' };

/** Whatever writes texts: a hosted model, one of this machine, … */
export interface LanguageModel {
  /**
   * Throws AI_FAILED when the model fails or its answer is none. Once `signal` is aborted the call to the model
   * ends and an error is thrown, no matter which. No error carries anything of what was asked or answered.
   */
  generateText(task: TextTask, signal: AbortSignal): Promise<TextAnswer>;
}
