import type { z } from 'zod';

/** An object of JSON; a list is one by its positions. */
type Json = Record<PropertyKey, unknown>;

interface UnknownKey {
  /** Where the object is that has the key. */
  path: readonly PropertyKey[];
  key: string;
}

/** Returns the keys that a strict schema does not know: a newer version has stored them. */
function unknownKeys(schema: z.ZodType, value: unknown): UnknownKey[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => ({ path: issue.path, key })) : [],
  );
}

/** Returns a value without the keys that its schema does not know, as this version shows it. */
export function withoutUnknown<T>(schema: z.ZodType, value: T): T {
  const unknown = unknownKeys(schema, value);
  if (unknown.length === 0) return value;
  const known = structuredClone(value);
  for (const { path, key } of unknown) {
    const owner = path.reduce<unknown>((at, name) => (at as Json)[name], known) as Json;
    delete owner[key];
  }
  return known;
}

/** Parses what is stored: keys that the schema does not know are kept as they are. Throws a `ZodError` for all else. */
export function parseStored<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  return parsed.success
    ? parsed.data
    : keepUnknown(schema, value, schema.parse(withoutUnknown(schema, value)));
}

/**
 * Returns a value with the unknown keys of the one that it replaces, whose sender did not see them. What is said of a picture or a
 * person goes with it: to another place of a list, and away.
 */
export function keepUnknown<T>(schema: z.ZodType, before: unknown, after: T): T {
  const unknown = unknownKeys(schema, before);
  if (unknown.length === 0) return after;
  const kept = structuredClone(after);
  for (const { path, key } of unknown) {
    let [from, to]: [unknown, unknown] = [before, kept];
    for (const name of path) {
      // A language that is not named is one of which nothing else is said.
      if (isObject(to) && !Array.isArray(to) && !(name in to)) to[name] = {};
      from = (from as Json)[name];
      to = counterpart(from, to, name);
    }
    if (isObject(from) && isObject(to) && !(key in to)) to[key] = from[key];
  }
  return kept;
}

/** Returns what is in the place of an object in another value: the same picture, mark or person of a list, else what is there. */
function counterpart(one: unknown, within: unknown, name: PropertyKey): unknown {
  if (!isObject(within)) return undefined;
  const found = within[name];
  if (Array.isArray(within) && !isSameThing(one, found)) {
    return within.find((other) => isSameThing(one, other));
  }
  return isSameThing(one, found) ? found : undefined;
}

function isSameThing(one: unknown, other: unknown): boolean {
  return isObject(one) && isObject(other) && identityOf(one) === identityOf(other);
}

function identityOf({ url, id, userId, name, role }: Json): string {
  return JSON.stringify(url ?? id ?? [userId ?? name, role]);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}
