import type { Span } from '../reading/facts.ts';
import type { Token } from '../reading/tokens.ts';
import { Lexicon } from '../words/lexicon.ts';
import { ROUTE_PHRASES, ROUTES } from '../words/route-words.ts';

const PHRASES = new Lexicon(ROUTE_PHRASES);
const ABBREVIATIONS = new Map(
  ROUTES.flatMap(({ name, abbreviation }) => (abbreviation ? [[abbreviation, name] as const] : [])),
);

/** The routes that a text names, each where it stands first, and those that its words may mean. */
export interface FoundRoutes {
  named: Map<string, Span>;
  hinted: Set<string>;
}

export function readRoutes(tokens: readonly Token[], isNumber: (span: Span) => boolean): FoundRoutes {
  const named = new Map<string, Span>();
  const hinted = new Set<string>();
  const add = (name: string, from: Token, to: Token) => {
    if (!named.has(name)) named.set(name, { start: from.start, end: to.end });
  };
  tokens.forEach((token, at) => {
    if (token.kind !== 'word') return;
    const phrase = PHRASES.find(tokens, at);
    if (phrase) add(phrase.meaning, token, tokens[phrase.next - 1] ?? token);
    const isShort =
      token.text.includes('.') || (token.text === token.text.toUpperCase() && token.text.length === 2);
    const short = isShort ? ABBREVIATIONS.get(token.lower) : undefined;
    if (short && !isNumber(token)) add(short, token, token);
    for (const { name, says, hints } of ROUTES) {
      // "dos inhalaciones" are puffs.
      if (says.test(token.lower) && !isNumber(token)) add(name, token, token);
      else if (hints.test(token.lower)) hinted.add(name);
    }
  });
  return { named, hinted };
}

/** Returns the routes that only one side names, side by side where both name another one. */
export function compareRoutes(
  source: FoundRoutes,
  target: FoundRoutes,
): { source: Span | null; target: Span | null }[] {
  const only = (one: FoundRoutes, other: FoundRoutes) =>
    [...one.named]
      .filter(([name]) => !other.named.has(name) && !other.hinted.has(name))
      .map(([, span]) => span);
  const [lost, added] = [only(source, target), only(target, source)];
  return Array.from({ length: Math.max(lost.length, added.length) }, (_, index) => ({
    source: lost[index] ?? null,
    target: added[index] ?? null,
  }));
}
