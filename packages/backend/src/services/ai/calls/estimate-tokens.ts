import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import type { TokenUsage } from '@fabrica/contract';
import type { Tokens } from '../usage/ai-usage.ts';

/** Characters of text per token, for providers that do not report usage. */
export const CHARACTERS_PER_TOKEN = 4;

/** Tokens that an image of at most a megapixel counts as, at the larger ones of the usual providers. */
export const IMAGE_TOKENS = 1_500;

/** One request to a model and what came back so far. */
export interface ModelStep {
  modelRequest: LanguageModelV4CallOptions;
  /** Characters of the response so far. */
  written: number;
  reported: TokenUsage | undefined;
}

/**
 * Returns the tokens of all steps of a call: as the provider reports them, or else estimated from the characters sent
 * and received.
 */
export function estimateTokens(steps: readonly ModelStep[]): Tokens {
  let inputTokens = 0;
  let outputTokens = 0;
  for (const { modelRequest, written, reported } of steps) {
    inputTokens += reported?.inputTokens ?? tokensIn(charactersOf(modelRequest));
    outputTokens += reported?.outputTokens ?? tokensIn(written);
  }
  return { inputTokens, outputTokens };
}

const tokensIn = (characters: number) => Math.ceil(characters / CHARACTERS_PER_TOKEN);

function charactersOf({ prompt }: LanguageModelV4CallOptions): number {
  let characters = 0;
  for (const { content } of prompt) {
    if (typeof content === 'string') characters += content.length;
    else for (const part of content) characters += lengthOf(part);
  }
  return characters;
}

function lengthOf(part: Exclude<LanguageModelV4Message['content'], string>[number]): number {
  if (part.type === 'text') return part.text.length;
  if (part.type === 'file') return IMAGE_TOKENS * CHARACTERS_PER_TOKEN;
  if (part.type === 'tool-result' && part.output.type === 'text') return part.output.value.length;
  return 0;
}
