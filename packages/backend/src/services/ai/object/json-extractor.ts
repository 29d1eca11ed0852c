/** Where a value may begin: a list where an object is asked for is no object, whatever it holds. */
const BEGINNING = { '{': /[[{]/, '[': /\[/ };
const OPENING = new Set(['{', '[']);
const CLOSING = new Set(['}', ']']);

/** Cuts one JSON value out of a text that comes in pieces. */
export interface JsonExtractor {
  /** What of this piece belongs to the value, save its last bracket. */
  take(piece: string): string;
  /** That last bracket; empty while the value has not ended. */
  readonly end: string;
}

/**
 * The value begins at the first bracket and ends where that is closed: models that are asked for JSON alone
 * put fences and greetings around it all the same, and a list is sent in an object.
 */
export function createJsonExtractor(opening: '{' | '['): JsonExtractor {
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  let end = '';

  /** Is the character the value's last one? */
  function isLast(character: string): boolean {
    if (isInText) {
      if (isEscaped) isEscaped = false;
      else if (character === '\\') isEscaped = true;
      else if (character === '"') isInText = false;
      return false;
    }
    if (character === '"') isInText = true;
    else if (OPENING.has(character)) depth += 1;
    else if (CLOSING.has(character)) depth -= 1;
    return depth === 0;
  }

  return {
    take(piece) {
      if (end) return '';
      const from = depth > 0 ? 0 : piece.search(BEGINNING[opening]);
      if (from < 0) return '';
      for (let at = from; at < piece.length; at += 1) {
        const character = piece.charAt(at);
        if (!isLast(character)) continue;
        end = character;
        return piece.slice(from, at);
      }
      return piece.slice(from);
    },
    get end() {
      return end;
    },
  };
}
