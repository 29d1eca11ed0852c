import { readStoredSource } from './read-stored-source.ts';
import type { Source, SourceName } from './source.ts';

/** A reference as the server stores it: any CSL-JSON. */
export interface StoredSource {
  readonly id: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Returns references that the editor has changed as they are to be stored. The editor has them as `readStoredSource` returns
 * them; every field and every name that it gives back unchanged stays as it was stored, so that what it does not show is kept.
 */
export function keepStoredFields<Stored extends StoredSource>(
  changed: readonly Source[],
  stored: readonly Stored[],
): (Stored | StoredSource)[] {
  const before = new Map(stored.map((source) => [source.id, source]));
  return changed.map((source) => {
    const one = before.get(source.id);
    return one ? keepFields(source, one) : { ...source };
  });
}

function keepFields<Stored extends StoredSource>(source: Source, stored: Stored): Stored | StoredSource {
  const shown: Record<string, unknown> = { ...readStoredSource(stored) };
  if (isSame(source, shown)) return stored;
  const written: Record<string, unknown> = { ...source };
  const fields = new Set([...Object.keys(stored), ...Object.keys(written)]);
  const kept = [...fields].flatMap((name): [string, unknown][] => {
    if (isSame(written[name], shown[name])) return name in stored ? [[name, stored[name]]] : [];
    return written[name] === undefined ? [] : [[name, keepNames(written[name], stored[name])]];
  });
  return { id: source.id, type: source.type, ...Object.fromEntries(kept) };
}

/** Returns a list of names in which those that were stored stay as they were; any other value as it was written. */
function keepNames(written: unknown, stored: unknown): unknown {
  if (!Array.isArray(written) || !Array.isArray(stored)) return written;
  const left = [...stored];
  return written.map((name: SourceName) => {
    const at = left.findIndex((one) => isSame(shownName(one), name));
    return at < 0 ? name : left.splice(at, 1)[0];
  });
}

function shownName(stored: unknown): SourceName | undefined {
  return readStoredSource({ id: '', author: [stored] }).author?.[0];
}

/** Both come from `readStoredSource`, which writes the parts of a value in one order. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
