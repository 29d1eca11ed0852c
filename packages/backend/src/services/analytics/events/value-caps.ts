import { OTHER_VALUES, VALUES_PER_DAY } from '../limits.ts';
import { type AnalyticsConnection, type Dimension, findValues } from '../queries.ts';

/** Values that are remembered, of all days and scopes together. */
const MAX_REMEMBERED = 50_000;

/**
 * Counts how many values there are of a day, scope and dimension, so that strangers who make some up do not fill the
 * disk. Each process counts those that it knows of, which are all that there were when it came across the day first.
 */
export function createValueCaps() {
  const known = new Map<string, Map<Dimension, Set<string>>>();
  let remembered = 0;

  const keyOf = (day: string, scope: string) => `${day} ${scope}`;

  function remember(day: string, scope: string, dimension: Dimension): Set<string> {
    const key = keyOf(day, scope);
    const dimensions = known.get(key) ?? new Map<Dimension, Set<string>>();
    known.set(key, dimensions);
    const values = dimensions.get(dimension) ?? new Set<string>();
    dimensions.set(dimension, values);
    return values;
  }

  return {
    /** To be called before `admit` for days and scopes. */
    async load(
      connection: AnalyticsConnection,
      wanted: ReadonlyMap<string, ReadonlySet<string>>,
    ): Promise<void> {
      if (remembered > MAX_REMEMBERED) {
        known.clear();
        remembered = 0;
      }
      for (const [day, scopes] of wanted) {
        const missing = [...scopes].filter((scope) => !known.has(keyOf(day, scope)));
        if (missing.length === 0) continue;
        const found = await findValues(connection, day, missing);
        for (const scope of missing) known.set(keyOf(day, scope), new Map());
        for (const { scope, dimension, value } of found) remember(day, scope, dimension).add(value);
        remembered += found.length;
      }
    },
    /** What to count a value under. */
    admit(day: string, scope: string, dimension: Dimension, value: string): string {
      const values = remember(day, scope, dimension);
      if (values.has(value)) return value;
      if (values.size >= VALUES_PER_DAY) return OTHER_VALUES;
      values.add(value);
      remembered += 1;
      return value;
    },
  };
}

export type ValueCaps = ReturnType<typeof createValueCaps>;
