/** The brackets that a value may begin with. A list is no object, whatever it holds. */
const FIRST_BRACKET = { '{': /[[{]/, '[': /\[/ };
const OPENING = new Set(['{', '[']);
const CLOSING = new Set(['}', ']']);

/** Extracts one JSON value from a text that comes in pieces. */
interface JsonExtractor {
  /** Returns the part of this piece that belongs to the value, without its last bracket. */
  add(piece: string): string;
  /** The last bracket, or an empty string until the value has ended. */
  readonly end: string;
}

/**
 * Creates an extractor. The value begins at the first bracket and ends where that is closed: models that are asked for
 * JSON alone add fences and greetings, and a list may come in an object.
 */
export function createJsonExtractor(opening: '{' | '['): JsonExtractor {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let end = '';

  /** Returns whether the character is the last one of the value. */
  function isLast(character: string): boolean {
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (character === '\\') isEscaped = true;
      else if (character === '"') isInString = false;
      return false;
    }
    if (character === '"') isInString = true;
    else if (OPENING.has(character)) depth += 1;
    else if (CLOSING.has(character)) depth -= 1;
    return depth === 0;
  }

  return {
    add(piece) {
      if (end) return '';
      const start = depth > 0 ? 0 : piece.search(FIRST_BRACKET[opening]);
      if (start < 0) return '';
      for (let index = start; index < piece.length; index += 1) {
        const character = piece.charAt(index);
        if (!isLast(character)) continue;
        end = character;
        return piece.slice(start, index);
      }
      return piece.slice(start);
    },
    get end() {
      return end;
    },
  };
}
