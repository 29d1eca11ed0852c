import type { Span } from '../reading/facts.ts';
import type { Mention } from '../words/opposites.ts';

/** What of a group one side says and the other does not: one member is lost, and another gained. */
interface Exchange {
  kind: 'opposite' | 'route';
  source: Span;
  target: Span;
}

/** Groups whose words have many others beside them: both members have to be clear. */
const STRICT: ReadonlySet<string> = new Set(['level', 'run', 'help', 'change']);

/**
 * Returns where a text says the opposite of the other: of a closed group, one member is lost and another one gained. One of the two has
 * to be said clearly.
 */
export function compareOpposites(source: readonly Mention[], target: readonly Mention[]): Exchange[] {
  const groups = new Set(source.map(({ group }) => group));
  const turned = routesInOrder(source).flatMap((one) => {
    const other = routesInOrder(target).find(
      ({ first, second }) => first === one.second && second === one.first,
    );
    return other ? [{ kind: 'route' as const, source: one, target: other }] : [];
  });
  const exchanged: Exchange[] = [...groups].flatMap((group) => {
    const [one, other] = [source, target].map((all) => all.filter((mention) => mention.group === group));
    const [lost, gained] = [surplus(one ?? [], other ?? []), surplus(other ?? [], one ?? [])];
    const exchange = pairs(lost, gained).find(
      ([left, come]) =>
        left.member !== come.member &&
        !(left.hint && come.hint) &&
        !(STRICT.has(group) && (left.hint || come.hint)),
    );
    return exchange
      ? [{ kind: group === 'route' ? 'route' : 'opposite', source: exchange[0], target: exchange[1] }]
      : [];
  });
  return [...turned, ...exchanged];
}

/** Returns the routes of which a text says that one comes before the other: "IV, then orally" and "orally after IV". */
function routesInOrder(mentions: readonly Mention[]) {
  const routes = mentions.filter(({ group, hint }) => group === 'route' && !hint);
  return routes.slice(1).flatMap((route, index) => {
    const before = routes[index];
    if (!before || before.member === route.member) return [];
    const between = mentions.filter(({ start }) => start > before.start && start < route.start);
    const isThen = between.some(({ group }) => group === 'then');
    if (!isThen && !between.some(({ member, hint }) => member === 'after' && !hint)) return [];
    const [first, second] = isThen ? [before, route] : [route, before];
    return [{ first: first.member, second: second.member, start: before.start, end: route.end }];
  });
}

const pairs = (lost: readonly Mention[], gained: readonly Mention[]) =>
  lost.flatMap((one) => gained.map((other) => [one, other] as const));

/**
 * Returns the mentions of members that one side names oftener than the other may. Hints of the other excuse where they are more than
 * its own; a hint alone counts where the other has nothing alike.
 */
function surplus(mentions: readonly Mention[], others: readonly Mention[]): Mention[] {
  return mentions.filter(({ member, hint }) => {
    const count = (all: readonly Mention[], isHint: boolean) =>
      all.filter((one) => one.member === member && one.hint === isHint).length;
    const hints = count(others, true) - count(mentions, true);
    if (hint) return count(others, true) + count(others, false) === 0;
    return count(mentions, false) > count(others, false) + Math.max(0, hints);
  });
}
