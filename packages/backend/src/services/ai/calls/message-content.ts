import type {
  LanguageModelV4Content,
  LanguageModelV4Reasoning,
  LanguageModelV4StreamPart,
  LanguageModelV4Text,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider';

/** What a model has to be told again of its own words when it is to go on. */
export type MessageContent = LanguageModelV4Text | LanguageModelV4Reasoning | LanguageModelV4ToolCall;

export function isMessageContent(part: LanguageModelV4Content): part is MessageContent {
  // What a provider runs by itself is its own concern.
  if (part.type === 'tool-call') return !part.providerExecuted;
  return part.type === 'text' || part.type === 'reasoning';
}

/** Puts the pieces of a stream together again. */
export function createContentCollector() {
  const said: MessageContent[] = [];
  const open = new Map<string, Wording>();

  function append(type: 'text' | 'reasoning', piece: Piece): void {
    const key = `${type} ${piece.id}`;
    const known = open.get(key);
    const part: Wording = known ?? { type, text: '' };
    if (!known) {
      open.set(key, part);
      said.push(part);
    }
    part.text += piece.delta ?? '';
    // A signature of what was thought may come with any piece; the last one holds.
    if (piece.providerMetadata) part.providerMetadata = piece.providerMetadata;
  }

  return {
    said,
    hear(part: LanguageModelV4StreamPart): void {
      switch (part.type) {
        case 'text-start':
        case 'text-delta':
        case 'text-end':
          append('text', part);
          return;
        case 'reasoning-start':
        case 'reasoning-delta':
        case 'reasoning-end':
          append('reasoning', part);
          return;
        case 'tool-call':
          if (isMessageContent(part)) said.push(part);
          return;
        default:
      }
    },
  };
}

type Wording = LanguageModelV4Text | LanguageModelV4Reasoning;

interface Piece {
  id: string;
  delta?: string;
  providerMetadata?: LanguageModelV4Text['providerMetadata'];
}
