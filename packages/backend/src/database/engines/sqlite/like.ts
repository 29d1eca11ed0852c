/** One step of a LIKE pattern: any number of characters, any one character, or a literal text. */
type Step = { any: 'many' } | { any: 'one' } | { text: string };

/** Parses a LIKE pattern (`%`, `_`, escape character `\`). */
function parseSteps(pattern: string): Step[] {
  const steps: Step[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') steps.push({ text });
    text = '';
  };
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern.charAt(index);
    if (character === '\\') {
      index += 1;
      text += pattern.charAt(index);
    } else if (character === '%' || character === '_') {
      flush();
      steps.push(character === '%' ? { any: 'many' } : { any: 'one' });
    } else {
      text += character;
    }
  }
  flush();
  return steps;
}

/** Translates a LIKE pattern to GLOB: `%` → `*`, `_` → `?`; GLOB's own wildcards are escaped. */
export function likeToGlob(pattern: string): string {
  return parseSteps(pattern)
    .map((step) => {
      if ('any' in step) return step.any === 'many' ? '*' : '?';
      return step.text.replace(/[*?[]/g, '[$&]');
    })
    .join('');
}

/** The steps between two `%`, which match consecutive characters. */
type Segment = readonly Exclude<Step, { any: 'many' }>[];

/** Tells whether the whole text matches the LIKE pattern, ignoring the case of letters of every alphabet. */
export function matchesIgnoringCase(text: string, pattern: string): boolean {
  const folded = text.toLowerCase();
  const [first = [], ...others] = segmentsOf(pattern.toLowerCase());
  let position = endOfMatch(folded, 0, first);
  const last = others.pop();
  if (last === undefined) return position === folded.length;
  for (const segment of others) {
    if (position < 0) return false;
    position = findSegment(folded, segment, { from: position, accepts: () => true });
  }
  const accepts = (end: number) => end === folded.length;
  return position >= 0 && findSegment(folded, last, { from: position, accepts }) >= 0;
}

function segmentsOf(pattern: string): Segment[] {
  const segments: Exclude<Step, { any: 'many' }>[][] = [[]];
  for (const step of parseSteps(pattern)) {
    if ('text' in step) segments.at(-1)?.push(step);
    else if (step.any === 'one') segments.at(-1)?.push({ any: 'one' });
    else segments.push([]);
  }
  return segments;
}

/** Returns the end of the first match at or after `from` whose end is accepted; -1 when there is none. */
function findSegment(
  text: string,
  segment: Segment,
  { from, accepts }: { from: number; accepts: (end: number) => boolean },
): number {
  const [head] = segment;
  if (!head) return accepts(from) ? from : text.length;
  for (let start = from; start <= text.length; start++) {
    if ('text' in head) {
      start = text.indexOf(head.text, start);
      if (start < 0) return -1;
    }
    const end = endOfMatch(text, start, segment);
    if (end >= 0 && accepts(end)) return end;
  }
  return -1;
}

/** Returns the end of a match that starts at `start`; -1 when there is none. */
function endOfMatch(text: string, start: number, segment: Segment): number {
  let end = start;
  for (const step of segment) {
    if ('text' in step) {
      if (!text.startsWith(step.text, end)) return -1;
      end += step.text.length;
    } else {
      const character = text.codePointAt(end);
      if (character === undefined) return -1;
      end += character > 0xffff ? 2 : 1;
    }
  }
  return end;
}
