import type { Difference } from '../findings.ts';
import type { Mention } from '../words/opposites.ts';

/**
 * Returns where a text says the opposite of the other: of a closed group, one member is lost and another one gained. One of the two has
 * to be said clearly.
 */
export function compareOpposites(source: readonly Mention[], target: readonly Mention[]): Difference[] {
  const others = Map.groupBy(target, ({ group }) => group);
  const groups = [...Map.groupBy(source, ({ group }) => group)].map(
    ([group, one]): [Mention[], Mention[]] => [one, others.get(group) ?? []],
  );
  const exchanged = groups.flatMap(([one, other]): Difference[] => {
    const [lost, gained] = [surplus(one, other), surplus(other, one)];
    for (const left of lost) {
      const come = gained.find(
        ({ member, hint, strict }) =>
          left.member !== member && !(left.hint && hint) && !(strict && (left.hint || hint)),
      );
      if (come) return [{ kind: left.group === 'route' ? 'route' : 'opposite', source: left, target: come }];
    }
    return [];
  });
  const lacking: Difference[] = [
    ...findLack(source, target).map((span) => ({ kind: 'opposite' as const, source: span, target: null })),
    ...findLack(target, source).map((span) => ({ kind: 'opposite' as const, source: null, target: span })),
  ];
  return [...exchanged, ...lacking, ...findCrossed(groups)];
}

/**
 * Returns where two groups are crossed: "the donor is positive and the recipient negative" has them in one order, and its translation one
 * of them in another. Only groups of which both texts name two members count.
 */
function findCrossed(groups: readonly [Mention[], Mention[]][]): Difference[] {
  const orders = groups.flatMap(([[one, other, more], [first, second, another]]) => {
    if (!one || !other || !first || !second || more || another || one.member === other.member) return [];
    if ([one, other, first, second].some(({ hint }) => hint)) return [];
    const isKept = one.member === first.member && other.member === second.member;
    const isTurned = one.member === second.member && other.member === first.member;
    return isKept || isTurned ? [{ isTurned, source: one, target: first }] : [];
  });
  const turned = orders.find(({ isTurned }) => isTurned);
  return turned && orders.some(({ isTurned }) => !isTurned)
    ? [{ kind: 'opposite', source: turned.source, target: turned.target }]
    : [];
}

/** Returns a clear "without" that the other text puts in no other way, but has more words for "with". */
function findLack(mentions: readonly Mention[], others: readonly Mention[]): Mention[] {
  const count = (all: readonly Mention[], of: string) => all.filter(({ member }) => member === of).length;
  const isOther = count(others, 'without') === 0 && count(others, 'with') > count(mentions, 'with');
  return isOther ? mentions.filter(({ member, hint }) => member === 'without' && !hint).slice(0, 1) : [];
}

const keyOf = ({ member, hint }: Mention) => `${member} ${hint}`;

/**
 * Returns the first mention, clear or hinted, of each member that one side names oftener than the other may. Hints of the other excuse
 * where they are more than its own; a hint alone counts where the other has nothing alike.
 */
function surplus(mentions: readonly Mention[], others: readonly Mention[]): Mention[] {
  const firsts = new Map<string, Mention>();
  for (const mention of mentions) if (!firsts.has(keyOf(mention))) firsts.set(keyOf(mention), mention);
  const [counts, otherCounts] = [mentions, others].map(countMentions);
  return [...firsts.values()].filter(({ member, hint }) => {
    const count = (all: ReadonlyMap<string, number> | undefined, isHint: boolean) =>
      all?.get(`${member} ${isHint}`) ?? 0;
    const hints = count(otherCounts, true) - count(counts, true);
    const clear = count(otherCounts, false) - count(counts, false);
    if (hint) return hints + clear < 0;
    return clear + Math.max(0, hints) < 0;
  });
}

function countMentions(mentions: readonly Mention[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const mention of mentions) counts.set(keyOf(mention), (counts.get(keyOf(mention)) ?? 0) + 1);
  return counts;
}
