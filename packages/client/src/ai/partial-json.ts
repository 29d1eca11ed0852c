/**
 * What there is of a JSON value that is still growing: as much as is whole, with its brackets closed. Undefined before
 * there is any of it. Texts and numbers are shown when they have ended.
 */
export function parsePartialJson(json: string): unknown {
  const open: string[] = [];
  let isInText = false;
  let whole = { end: 0, closing: '' };
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charAt(at);
    if (isInText) {
      if (character === '\\') at += 1;
      else if (character === '"') isInText = false;
      continue;
    }
    if (character === '"') isInText = true;
    else if (character === '{') open.push('}');
    else if (character === '[') open.push(']');
    else if (character === '}' || character === ']') open.pop();
    if ('{[}]'.includes(character)) whole = { end: at + 1, closing: closingOf(open) };
    else if (character === ',') whole = { end: at, closing: closingOf(open) };
  }
  if (whole.end === 0) return undefined;
  try {
    return JSON.parse(json.slice(0, whole.end) + whole.closing);
  } catch {
    return undefined;
  }
}

const closingOf = (open: readonly string[]) => open.toReversed().join('');
