import type { LanguageCall } from '../calls/run-language-call.ts';
import { createJsonExtractor } from './json-extractor.ts';
import type { ObjectTask } from './object-task.ts';

/**
 * Yields the JSON of an object as it grows. The last bracket comes only after the object was validated, so complete JSON
 * is valid. Throws what goes wrong, before the first piece or after any.
 */
export async function* streamObject(
  call: LanguageCall,
  { modelRequest, opening, isUnwrapped, parse }: ObjectTask,
): AsyncGenerator<string, void, undefined> {
  const extractor = createJsonExtractor(opening);
  const pieces = call.stream(modelRequest);
  let json = '';
  let hasBegun = false;
  try {
    for await (const piece of pieces) {
      const part = extractor.add(piece);
      json += part;
      if (!part || !isUnwrapped) continue;
      hasBegun = true;
      yield part;
    }
    const object = parse(json + extractor.end);
    call.succeed();
    yield isUnwrapped ? extractor.end : JSON.stringify(object);
  } catch (error) {
    throw hasBegun ? call.fail(error) : error;
  }
}
