import type {
  LanguageModelV4Content,
  LanguageModelV4Reasoning,
  LanguageModelV4StreamPart,
  LanguageModelV4Text,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider';

/** Content of a message that a model receives again as its own when the conversation goes on. */
export type MessageContent = LanguageModelV4Text | LanguageModelV4Reasoning | LanguageModelV4ToolCall;

/** Returns whether a part is content that the model must receive again. */
function isMessageContent(part: LanguageModelV4Content): part is MessageContent {
  // Tools that the provider runs by itself need no result from here.
  if (part.type === 'tool-call') return !part.providerExecuted;
  return part.type === 'text' || part.type === 'reasoning';
}

/** Collects the parts of a stream into whole content. */
export function createContentCollector() {
  const content: MessageContent[] = [];
  const open = new Map<string, TextPart>();

  function append(type: 'text' | 'reasoning', piece: Piece): void {
    const key = `${type} ${piece.id}`;
    const opened = open.get(key);
    const part: TextPart = opened ?? { type, text: '' };
    if (!opened) {
      open.set(key, part);
      content.push(part);
    }
    part.text += piece.delta ?? '';
    // A signature of the reasoning may come with any piece; the last one counts.
    if (piece.providerMetadata) part.providerMetadata = piece.providerMetadata;
  }

  return {
    content,
    addPart(part: LanguageModelV4StreamPart): void {
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
          if (isMessageContent(part)) content.push(part);
          return;
        default:
      }
    },
  };
}

type TextPart = LanguageModelV4Text | LanguageModelV4Reasoning;

interface Piece {
  id: string;
  delta?: string;
  providerMetadata?: LanguageModelV4Text['providerMetadata'];
}
