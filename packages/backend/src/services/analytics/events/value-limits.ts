import { OTHER_VALUES, VALUES_PER_DAY } from '../limits.ts';
import { type AnalyticsConnection, type DayRow, type Dimension, findValues } from '../queries.ts';

/** Values that are remembered, of all days and scopes together. */
const MAX_REMEMBERED = 50_000;

/**
 * Limits the values of a day, scope and dimension, so that clients cannot fill the disk with values that they make up.
 * Each process knows the values that the database had when it first loaded the day, and those that it added since.
 */
export class ValueLimits {
  readonly #known = new Map<string, Map<Dimension, Set<string>>>();
  #remembered = 0;

  /** Must be called for each day and scope before `admit`. */
  async load(
    connection: AnalyticsConnection,
    scopesByDay: ReadonlyMap<string, ReadonlySet<string>>,
  ): Promise<void> {
    if (this.#remembered > MAX_REMEMBERED) {
      this.#known.clear();
      this.#remembered = 0;
    }
    for (const [day, scopes] of scopesByDay) {
      const missing = [...scopes].filter((scope) => !this.#known.has(keyOf({ day, scope })));
      if (missing.length === 0) continue;
      const found = await findValues(connection, day, missing);
      for (const scope of missing) this.#known.set(keyOf({ day, scope }), new Map());
      for (const { scope, dimension, value } of found) this.#valuesOf({ day, scope, dimension }).add(value);
      this.#remembered += found.length;
    }
  }

  /** Returns the value itself, or `other` when there are too many. */
  admit(counted: Pick<DayRow, 'day' | 'scope' | 'dimension'>, value: string): string {
    const values = this.#valuesOf(counted);
    if (values.has(value)) return value;
    if (values.size >= VALUES_PER_DAY) return OTHER_VALUES;
    values.add(value);
    this.#remembered += 1;
    return value;
  }

  #valuesOf({ day, scope, dimension }: Pick<DayRow, 'day' | 'scope' | 'dimension'>): Set<string> {
    const key = keyOf({ day, scope });
    const dimensions = this.#known.get(key) ?? new Map<Dimension, Set<string>>();
    this.#known.set(key, dimensions);
    const values = dimensions.get(dimension) ?? new Set<string>();
    dimensions.set(dimension, values);
    return values;
  }
}

function keyOf({ day, scope }: { day: string; scope: string }): string {
  return `${day} ${scope}`;
}
