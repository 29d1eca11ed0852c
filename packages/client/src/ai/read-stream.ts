import type { ErrorCode, TextEvent, TextResponse } from '@fabrica/contract';
import { AiError } from '../http/errors.ts';

interface ReadTextStreamOptions {
  /** Is called when data arrives. */
  onBytes(): void;
  onPiece?: ((piece: string) => void) | undefined;
}

/**
 * Reads the events of a text. Returns the error that a stream ends with: thrown, it would count as a network failure.
 */
export async function readTextStream(
  response: Response,
  { onBytes, onPiece }: ReadTextStreamOptions,
): Promise<TextResponse | AiError> {
  // A server or a proxy may answer with the whole text.
  if (response.headers.get('content-type')?.startsWith('application/json')) {
    const whole = (await response.json()) as TextResponse;
    onPiece?.(whole.text);
    return whole;
  }
  let text = '';
  let finish: Omit<TextResponse, 'text'> | undefined;
  let failure: AiError | undefined;
  for await (const data of readEvents(response, onBytes)) {
    if (data === '[DONE]') break;
    const event = JSON.parse(data) as TextEvent;
    if (event.type === 'text-delta') {
      text += event.delta;
      onPiece?.(event.delta);
    }
    if (event.type === 'finish') finish = { finishReason: event.finishReason, usage: event.usage };
    if (event.type === 'error') failure = new AiError(event.code as ErrorCode, event.error);
  }
  if (failure) return failure;
  return finish ? { text, ...finish } : new AiError('AI_FAILED', 'The text broke off.');
}

interface ReadJsonStreamOptions {
  /** Is called when data arrives. */
  onBytes(): void;
  /** Is called with all of the JSON so far. */
  onGrowth?: ((json: string) => void) | undefined;
}

export async function readJsonStream(
  response: Response,
  { onBytes, onGrowth }: ReadJsonStreamOptions,
): Promise<string> {
  let json = '';
  for await (const piece of readPieces(response, onBytes)) {
    json += piece;
    onGrowth?.(json);
  }
  return json;
}

/** Yields the data of server-sent events; this backend's events have one line each. */
async function* readEvents(response: Response, onBytes: () => void): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of readPieces(response, onBytes)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length);
  }
}

async function* readPieces(response: Response, onBytes: () => void): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return;
      onBytes();
      yield decoder.decode(chunk.value, { stream: true });
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}
