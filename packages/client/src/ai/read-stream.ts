import type { ErrorCode, TextEvent, TextResponse } from '@fabrica/contract';
import { AiError } from '../http/errors.ts';

export interface ReadTextStreamOptions {
  /** Something came. */
  onBytes(): void;
  onPiece?: ((piece: string) => void) | undefined;
}

/** Reads a text's events. The error that a stream ends with is answered, not thrown: nothing is wrong with the network. */
export async function readTextStream(
  response: Response,
  { onBytes, onPiece }: ReadTextStreamOptions,
): Promise<TextResponse | AiError> {
  let text = '';
  let ending: Omit<TextResponse, 'text'> | undefined;
  let failure: AiError | undefined;
  for await (const data of eventsOf(response, onBytes)) {
    if (data === '[DONE]') break;
    const event = JSON.parse(data) as TextEvent;
    if (event.type === 'text-delta') {
      text += event.delta;
      onPiece?.(event.delta);
    }
    if (event.type === 'finish') ending = { finishReason: event.finishReason, usage: event.usage };
    if (event.type === 'error') failure = new AiError(event.code as ErrorCode, event.error);
  }
  if (failure) return failure;
  return ending ? { text, ...ending } : new AiError('AI_FAILED', 'The text broke off.');
}

export interface ReadJsonStreamOptions {
  onBytes(): void;
  /** Is called with all of the JSON so far. */
  onGrowth(json: string): void;
}

export async function readJsonStream(
  response: Response,
  { onBytes, onGrowth }: ReadJsonStreamOptions,
): Promise<string> {
  let json = '';
  for await (const piece of piecesOf(response, onBytes)) {
    json += piece;
    onGrowth(json);
  }
  return json;
}

/** The data of server-sent events; of ours each has one line. */
async function* eventsOf(response: Response, onBytes: () => void): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of piecesOf(response, onBytes)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length);
  }
}

async function* piecesOf(response: Response, onBytes: () => void): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const read = await reader?.read();
      if (!read || read.done) return;
      onBytes();
      yield decoder.decode(read.value, { stream: true });
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}
