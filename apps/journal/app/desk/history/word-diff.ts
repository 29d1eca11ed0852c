import { diffArrays } from 'diff';

/** A stretch of two texts: in both, only in the earlier one, or only in the later one. */
export interface DiffPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** A change, and what stays behind it. */
interface Change {
  removed: string;
  added: string;
  same: string;
}

const PARAGRAPHS = /[^\n]*\n*/g;
/**
 * A word or a number with all that changes what it says (its sign, decimals, unit, range: `−0.5`, `120/80`, `5mg`, `3-4`), a
 * space, or any other character.
 */
const WORDS =
  /(?:[.,](?=\p{N}))?[\p{L}\p{M}\p{N}\p{S}%‰'’/–-]+(?:[.,:]\p{N}[\p{L}\p{M}\p{N}\p{S}%‰'’/–-]*)*|\s+|./gsu;
/** Parts with more changes than these are shown as replaced as a whole. */
const MAX_CHANGES = 1_500;

/** Returns the difference between two texts by words. The parts of one side together are that side's text. */
export function diffWords(before: string, after: string): DiffPart[] {
  // Paragraphs first: long texts with a few changed words are compared quickly.
  const changes = compare(before, after, PARAGRAPHS).flatMap(({ removed, added, same }) => [
    ...(removed && added ? compare(removed, added, WORDS) : [{ removed, added, same: '' }]),
    { removed: '', added: '', same },
  ]);
  return joined(changes).flatMap(({ removed, added, same }): DiffPart[] => [
    ...(removed ? [{ kind: 'removed' as const, text: removed }] : []),
    ...(added ? [{ kind: 'added' as const, text: added }] : []),
    ...(same ? [{ kind: 'same' as const, text: same }] : []),
  ]);
}

function compare(before: string, after: string, pattern: RegExp): Change[] {
  const [old, now] = [before, after].map((text) => text.match(pattern)?.filter(Boolean) ?? []);
  const parts = diffArrays(old ?? [], now ?? [], { maxEditLength: MAX_CHANGES });
  if (!parts) return [{ removed: before, added: after, same: '' }];
  const changes: Change[] = [];
  for (const { value, removed, added } of parts) {
    const text = value.join('');
    if (removed || added) {
      if (changes.at(-1)?.same !== '') changes.push({ removed: '', added: '', same: '' });
      const last = changes.at(-1) as Change;
      last[removed ? 'removed' : 'added'] += text;
    } else {
      if (changes.length === 0) changes.push({ removed: '', added: '', same: '' });
      (changes.at(-1) as Change).same += text;
    }
  }
  return changes;
}

/** Joins replaced words that only a space or a sign stands between: they are read as one change. */
function joined(changes: readonly Change[]): Change[] {
  const result: Change[] = [];
  for (const change of changes) {
    const last = result.at(-1);
    const { removed, added, same } = change;
    const isBoth = last?.removed && last.added && removed && added;
    if (last && !removed && !added) last.same += same;
    else if (last && isBoth && /^[^\p{L}\p{N}\n]*$/u.test(last.same)) {
      last.removed += last.same + removed;
      last.added += last.same + added;
      last.same = same;
    } else result.push({ ...change });
  }
  return result;
}
