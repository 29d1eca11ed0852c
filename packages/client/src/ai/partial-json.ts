/**
 * Parses JSON that is still incomplete: it closes the open brackets after the last complete value. Returns undefined
 * before there is one. Texts and numbers are included when they are complete.
 */
export function parsePartialJson(json: string): unknown {
  const open: string[] = [];
  let isInText = false;
  let complete = { end: 0, closing: '' };
  for (let index = 0; index < json.length; index += 1) {
    const character = json.charAt(index);
    if (isInText) {
      if (character === '\\') index += 1;
      else if (character === '"') isInText = false;
      continue;
    }
    if (character === '"') isInText = true;
    else if (character === '{') open.push('}');
    else if (character === '[') open.push(']');
    else if (character === '}' || character === ']') open.pop();
    if ('{[}]'.includes(character)) complete = { end: index + 1, closing: closeBrackets(open) };
    else if (character === ',') complete = { end: index, closing: closeBrackets(open) };
  }
  if (complete.end === 0) return undefined;
  try {
    return JSON.parse(json.slice(0, complete.end) + complete.closing);
  } catch {
    return undefined;
  }
}

const closeBrackets = (open: readonly string[]) => open.toReversed().join('');
