import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
} from '@ai-sdk/provider';
import type { textRequest } from '@fabrica/contract/schemas';
import type { z } from 'zod';

export type TextRequest = z.infer<typeof textRequest>;
type Message = NonNullable<TextRequest['messages']>[number];

/** Returns the URLs of all images in a request. */
export function imageUrlsOf({ messages }: TextRequest): string[] {
  return (messages ?? []).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'image' ? [part.image] : [])),
  );
}

/** Returns a request as models take it: all instructions first, then the conversation, then the prompt. */
export function toModelRequest(
  request: TextRequest,
  imageParts: ReadonlyMap<string, LanguageModelV4FilePart>,
): LanguageModelV4CallOptions {
  const messages = request.messages ?? [];
  const instructions = [
    request.system ?? request.systemPrompt ?? '',
    ...messages.filter(({ role }) => role === 'system').map(({ content }) => textOf(content)),
  ].filter((text) => text.trim());
  const prompt: LanguageModelV4Message[] = [];
  if (instructions.length > 0) prompt.push({ role: 'system', content: instructions.join('\n\n') });
  for (const message of messages) {
    if (message.role !== 'system') prompt.push(toMessage(message, imageParts));
  }
  if (request.prompt?.trim()) {
    prompt.push({ role: 'user', content: [{ type: 'text', text: request.prompt }] });
  }
  return {
    prompt,
    ...(request.maxTokens && { maxOutputTokens: request.maxTokens }),
    ...(typeof request.temperature === 'number' && { temperature: request.temperature }),
  };
}

function toMessage(
  { role, content }: Message,
  imageParts: ReadonlyMap<string, LanguageModelV4FilePart>,
): LanguageModelV4Message {
  if (role !== 'user') return { role: 'assistant', content: [{ type: 'text', text: textOf(content) }] };
  if (typeof content === 'string') return { role, content: [{ type: 'text', text: content }] };
  return {
    role,
    content: content.flatMap((part) => (part.type === 'text' ? part : (imageParts.get(part.image) ?? []))),
  };
}

function textOf(content: Message['content']): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
