import { markSilence } from '../calls/mark-silence.ts';
import type { LanguageCall } from '../calls/run-language-call.ts';
import { createJsonExtractor } from './json-extractor.ts';
import type { ObjectTask } from './object-task.ts';

/**
 * Yields the JSON of an object as it grows. The last bracket comes only after the object was validated, so complete JSON
 * is valid. Until the JSON begins, a space tells the reader every `keepAlive` milliseconds that it is still to come: readers
 * of JSON ignore it. Throws what goes wrong, before the first piece or after any.
 */
export async function* streamObject(
  call: LanguageCall,
  { modelRequest, opening, isUnwrapped, parse }: ObjectTask,
  keepAlive: number,
): AsyncGenerator<string, void, undefined> {
  const extractor = createJsonExtractor(opening);
  const pieces = markSilence(call.stream(modelRequest), keepAlive);
  let json = '';
  let hasBegun = false;
  let isSent = false;
  try {
    for await (const piece of pieces) {
      if (piece === undefined) {
        if (isSent) continue;
        hasBegun = true;
        yield ' ';
        continue;
      }
      const part = extractor.add(piece);
      json += part;
      if (!part || !isUnwrapped) continue;
      hasBegun = true;
      isSent = true;
      yield part;
    }
    const object = parse(json + extractor.end);
    call.succeed();
    yield isUnwrapped ? extractor.end : JSON.stringify(object);
  } catch (error) {
    throw hasBegun ? call.fail(error) : error;
  }
}
