/** One step of a LIKE pattern: any run of characters, any one character, or this text. */
type Step = { any: 'run' } | { any: 'one' } | { text: string };

/** Takes a LIKE pattern (`%`, `_`, escape character `\`) apart. */
function stepsOf(pattern: string): Step[] {
  const steps: Step[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') steps.push({ text });
    text = '';
  };
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === '\\') {
      at += 1;
      text += pattern.charAt(at);
    } else if (character === '%' || character === '_') {
      flush();
      steps.push(character === '%' ? { any: 'run' } : { any: 'one' });
    } else {
      text += character;
    }
  }
  flush();
  return steps;
}

/** A LIKE pattern as GLOB writes it: `%` → `*`, `_` → `?`, and GLOB's own wildcards as plain characters. */
export function likeToGlob(pattern: string): string {
  return stepsOf(pattern)
    .map((step) => {
      if ('any' in step) return step.any === 'run' ? '*' : '?';
      return step.text.replace(/[*?[]/g, '[$&]');
    })
    .join('');
}

/** What stands between two `%`: texts and single characters, to be found in a row. */
type Segment = readonly Exclude<Step, { any: 'run' }>[];

/** Does the whole text match the LIKE pattern, upper and lower case being alike? */
export function matchesIgnoringCase(text: string, pattern: string): boolean {
  const folded = text.toLowerCase();
  const [first = [], ...others] = segmentsOf(pattern.toLowerCase());
  let at = endOfMatch(folded, 0, first);
  const last = others.pop();
  if (last === undefined) return at === folded.length;
  for (const segment of others) {
    if (at < 0) return false;
    at = findSegment(folded, at, segment, () => true);
  }
  return at >= 0 && findSegment(folded, at, last, (end) => end === folded.length) >= 0;
}

function segmentsOf(pattern: string): Segment[] {
  const segments: Exclude<Step, { any: 'run' }>[][] = [[]];
  for (const step of stepsOf(pattern)) {
    if ('text' in step) segments.at(-1)?.push(step);
    else if (step.any === 'one') segments.at(-1)?.push({ any: 'one' });
    else segments.push([]);
  }
  return segments;
}

/** Where the first match from `from` on ends that `accepts` takes; -1 when there is none. */
function findSegment(
  text: string,
  from: number,
  segment: Segment,
  accepts: (end: number) => boolean,
): number {
  const [head] = segment;
  if (!head) return accepts(from) ? from : text.length;
  for (let at = from; at <= text.length; at++) {
    if ('text' in head) {
      at = text.indexOf(head.text, at);
      if (at < 0) return -1;
    }
    const end = endOfMatch(text, at, segment);
    if (end >= 0 && accepts(end)) return end;
  }
  return -1;
}

/** Where a match that starts at `at` ends; -1 when there is none. */
function endOfMatch(text: string, at: number, segment: Segment): number {
  let end = at;
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
