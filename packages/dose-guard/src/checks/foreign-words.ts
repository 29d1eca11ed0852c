import type { Language } from '../findings.ts';
import type { Span } from '../reading/facts.ts';
import type { Token } from '../reading/tokens.ts';
import { FUNCTION_WORDS, type KnownLanguage } from '../words/function-words.ts';

/** So many words in a row are a clause, of which so many tell another language. */
const SHORTEST_RUN = 3;
const FEWEST_TELLING = 2;

const OTHERS = Object.keys(FUNCTION_WORDS) as KnownLanguage[];

/**
 * Returns a clause that was left in the words of the source, or is in a third language: words in a row of which none is one that the
 * language of the target has, and some are ones that another language has.
 */
export function findForeignWords(
  source: readonly Token[],
  target: readonly Token[],
  [from, to]: readonly [Language, Language],
): { kind: 'language'; source: null; target: Span } | undefined {
  const isOwn = ({ kind, lower }: Token) =>
    kind === 'word' && FUNCTION_WORDS[to].has(lower) && !FUNCTION_WORDS[from].has(lower);
  const copied = new Set(source.filter(({ kind }) => kind === 'word').map(({ lower }) => lower));
  for (let start = 0; start < target.length; start += 1) {
    let end = start;
    while (end < target.length && target[end]?.kind === 'word' && !isOwn(target[end] as Token)) end += 1;
    const run = target.slice(start, end);
    const found = longestCopied(run, copied, from, to) ?? (isOther(run, from, to) ? run : undefined);
    const [first, last] = [found?.[0], found?.at(-1)];
    if (first && last)
      return { kind: 'language', source: null, target: { start: first.start, end: last.end } };
    start = end;
  }
  return undefined;
}

/** Returns three words in a row that the source has as well, one of which only its language has. */
function longestCopied(run: readonly Token[], copied: ReadonlySet<string>, from: Language, to: Language) {
  for (let start = 0; start + SHORTEST_RUN <= run.length; start += 1) {
    let end = start;
    while (copied.has(run[end]?.lower ?? '')) end += 1;
    const words = run.slice(start, end);
    const telling = words.filter(
      ({ lower }) => FUNCTION_WORDS[from].has(lower) && !FUNCTION_WORDS[to].has(lower),
    );
    if (words.length >= SHORTEST_RUN && telling.length > 0) return words;
  }
  return undefined;
}

function isOther(run: readonly Token[], from: Language, to: Language): boolean {
  if (run.length < SHORTEST_RUN) return false;
  return OTHERS.some((language) => {
    if (language === to || language === from) return false;
    const telling = run.filter(
      ({ lower }) => FUNCTION_WORDS[language].has(lower) && !FUNCTION_WORDS[to].has(lower),
    );
    return new Set(telling.map(({ lower }) => lower)).size >= FEWEST_TELLING;
  });
}
