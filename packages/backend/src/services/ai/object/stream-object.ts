import type { OpenCall } from '../calls/run-language-call.ts';
import { createJsonCutter } from './json-extractor.ts';
import type { ObjectTask } from './object-task.ts';

/**
 * An object's JSON as it grows. Its last bracket comes only when the whole was looked at: JSON that is complete is good.
 * Throws what goes wrong, before the first piece or behind any.
 */
export async function* objectPieces(
  call: OpenCall,
  { question, opening, isPlain, read }: ObjectTask,
): AsyncGenerator<string, void, undefined> {
  const cutter = createJsonCutter(opening);
  const pieces = call.writeInPieces(question);
  let json = '';
  let hasBegun = false;
  try {
    for await (const piece of pieces) {
      const part = cutter.take(piece);
      json += part;
      if (!part || !isPlain) continue;
      hasBegun = true;
      yield part;
    }
    const object = read(json + cutter.end);
    call.succeed();
    yield isPlain ? cutter.end : JSON.stringify(object);
  } catch (error) {
    throw hasBegun ? call.fail(error) : error;
  }
}
