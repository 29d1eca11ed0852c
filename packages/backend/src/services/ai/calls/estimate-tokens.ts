import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import type { TokenUsage } from '@fabrica/contract';
import type { Tokens } from '../usage/ai-usage.ts';

/** Of text, where the provider does not say how many tokens it took. */
const CHARACTERS_PER_TOKEN = 4;

/** One asking of the model. */
export interface Known {
  question: LanguageModelV4CallOptions;
  /** Characters of the answer so far. */
  written: number;
  reported: TokenUsage | undefined;
}

/** Of all steps of a call: as the provider says; where it does not, by what was sent and came. */
export function estimateTokens(steps: readonly Known[]): Tokens {
  let inputTokens = 0;
  let outputTokens = 0;
  for (const { question, written, reported } of steps) {
    inputTokens += reported?.inputTokens ?? tokensIn(charactersOf(question));
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
  if (part.type === 'tool-result' && part.output.type === 'text') return part.output.value.length;
  return 0;
}
