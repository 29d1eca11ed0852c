import type { LanguageCall } from '../calls/run-language-call.ts';
import { createJsonExtractor } from './json-extractor.ts';
import type { ObjectTask } from './object-task.ts';

/**
 * An object's JSON as it grows. Its last bracket comes only when the whole was looked at: JSON that is complete is good.
 * Throws what goes wrong, before the first piece or behind any.
 */
export async function* streamObject(
  call: LanguageCall,
  { question, opening, isPlain, read }: ObjectTask,
): AsyncGenerator<string, void, undefined> {
  const extractor = createJsonExtractor(opening);
  const pieces = call.stream(question);
  let json = '';
  let hasBegun = false;
  try {
    for await (const piece of pieces) {
      const part = extractor.take(piece);
      json += part;
      if (!part || !isPlain) continue;
      hasBegun = true;
      yield part;
    }
    const object = read(json + extractor.end);
    call.succeed();
    yield isPlain ? extractor.end : JSON.stringify(object);
  } catch (error) {
    throw hasBegun ? call.fail(error) : error;
  }
}
