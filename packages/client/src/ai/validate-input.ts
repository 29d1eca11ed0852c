import { isAiImageUrl, MAX_AI_IMAGES, type TextRequest, TOO_MANY_IMAGES } from '@fabrica/contract';
import { AiError } from '../http/errors.ts';

/** Throws VALIDATION_FAILED with this message if the text is missing or blank. */
export function requireText(text: unknown, message: string): asserts text is string {
  if (typeof text !== 'string' || !text.trim()) throw invalid(message);
}

export function requirePrompt({ prompt }: { prompt: unknown }): void {
  requireText(prompt, 'A prompt is required.');
}

export function requireConversation({ prompt, messages }: Pick<TextRequest, 'prompt' | 'messages'>): void {
  if (!prompt?.trim() && !messages?.length) throw invalid('Prompt or messages required.');
  for (const [index, { content }] of (messages ?? []).entries()) {
    if (typeof content === 'string') continue;
    if (content.every((part) => part.type !== 'image' || isAiImageUrl(part.image))) continue;
    throw invalid(
      `The images of message ${index + 1} must be HTTPS addresses that end in jpg, jpeg, png, gif or webp.`,
    );
  }
}

export function requireImages(images: unknown): void {
  if (!Array.isArray(images) || images.length === 0) throw invalid('At least one image is required.');
  if (images.length > MAX_AI_IMAGES) throw invalid(TOO_MANY_IMAGES);
  for (const [index, url] of images.entries()) {
    if (isAiImageUrl(String(url))) continue;
    throw invalid(`Image ${index + 1} must be an HTTPS address that ends in jpg, jpeg, png, gif or webp.`);
  }
}

function invalid(message: string): AiError {
  return new AiError('VALIDATION_FAILED', message);
}
