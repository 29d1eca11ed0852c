import type { Span } from '../reading/facts.ts';
import type { Token } from '../reading/tokens.ts';
import { Lexicon } from '../words/lexicon.ts';
import { ROUTE_PHRASES, ROUTES } from '../words/route-words.ts';

const PHRASES = new Lexicon(ROUTE_PHRASES);
const ABBREVIATIONS = new Map(
  ROUTES.flatMap(({ name, abbreviation }) => (abbreviation ? [[abbreviation, name] as const] : [])),
);

/** The routes that a text names, each where it stands first, and those that its words may mean. */
interface FoundRoutes {
  named: Map<string, Span>;
  hinted: Set<string>;
  /** Tells how often a route is named. */
  count: number;
  /** Pairs of routes of which the first comes before the second: IV, then orally. */
  ordered: Order[];
}

interface Order extends Span {
  first: string;
  then: string;
}

const THEN =
  /^(?:then|followed|subsequently|afterwards|switch\p{L}*|después|luego|posteriormente|seguid\p{L}*|continuación|puis|ensuite|suivie?s?|relais|dann|danach|anschließend|gefolgt|umgestellt|umstellung|später)$/u;
const AFTER = /^(?:after|following|tras|après|nach)$/;

/** Returns which of the routes that a text names one after the other comes first, where it says so. */
function readOrders(tokens: readonly Token[], found: readonly { name: string; at: number }[]): Order[] {
  return found.slice(1).flatMap((route, index) => {
    const before = found[index];
    if (!before || before.name === route.name) return [];
    const between = tokens.slice(before.at + 1, route.at);
    if (between.some(({ text }) => /^[.!?]$/.test(text))) return [];
    const isThen = between.some(({ lower }) => THEN.test(lower));
    const isAfter = !isThen && between.some(({ lower }) => AFTER.test(lower));
    if (!isThen && !isAfter) return [];
    const [first, then] = isThen ? [before.name, route.name] : [route.name, before.name];
    return [{ first, then, start: tokens[before.at]?.start ?? 0, end: tokens[route.at]?.end ?? 0 }];
  });
}

export function readRoutes(tokens: readonly Token[], isNumber: (span: Span) => boolean): FoundRoutes {
  const named = new Map<string, Span>();
  const hinted = new Set<string>();
  const places: { name: string; at: number }[] = [];
  const add = (name: string, from: Token, to: Token, at: number) => {
    places.push({ name, at });
    if (!named.has(name)) named.set(name, { start: from.start, end: to.end });
  };
  tokens.forEach((token, at) => {
    if (token.kind !== 'word') return;
    const phrase = PHRASES.find(tokens, at);
    if (phrase) add(phrase.meaning, token, tokens[phrase.next - 1] ?? token, at);
    const isShort =
      token.text.includes('.') || (token.text === token.text.toUpperCase() && token.text.length === 2);
    const short = isShort ? ABBREVIATIONS.get(token.lower) : undefined;
    if (short && !isNumber(token)) add(short, token, token, at);
    for (const { name, says, hints } of ROUTES) {
      // "dos inhalaciones" are puffs.
      if (says.test(token.lower) && !isNumber(token)) add(name, token, token, at);
      else if (hints.test(token.lower)) hinted.add(name);
    }
  });
  return { named, hinted, count: places.length, ordered: readOrders(tokens, places) };
}

/** Returns the routes that only one side names, side by side where both name another one, and those in another order. */
export function compareRoutes(
  source: FoundRoutes,
  target: FoundRoutes,
): { source: Span | null; target: Span | null; isSoft?: true }[] {
  const only = (one: FoundRoutes, other: FoundRoutes) =>
    [...one.named]
      .filter(([name]) => !other.named.has(name) && !other.hinted.has(name))
      .map(([, span]) => span);
  const [lost, added] = [only(source, target), only(target, source)];
  const exchanged = source.ordered.flatMap((one) => {
    const other = target.ordered.find(({ first, then }) => first === one.then && then === one.first);
    return other ? [{ source: one, target: other }] : [];
  });
  // "chambre d'inhalation" is a spacer: a route that one text does without may be no route in the other.
  const isSoft = source.count === target.count ? {} : { isSoft: true as const };
  const single = Array.from({ length: Math.max(lost.length, added.length) }, (_, index) => ({
    source: lost[index] ?? null,
    target: added[index] ?? null,
    ...(lost[index] && added[index] ? {} : isSoft),
  }));
  return [...exchanged, ...single];
}
