import type { ParseMarkdown } from '../project/markdown/parse-tree.ts';
import { commonOrder } from './common-order.ts';
import { joinText } from './join-text.ts';
import type { Slot, SplitText } from './slot.ts';
import { splitText, type TextFormat } from './split-text.ts';

interface AlignOptions {
  /** The original. */
  source: SplitText;
  format: TextFormat;
  /** The translations of its segments as they are; null for what is missing, where the original's words stand. */
  present: readonly (string | null)[];
  /** The whole of a translation, as somebody wrote it. */
  text: string;
  parse: ParseMarkdown;
}

/** The costs of a segment without a text, and of each further paragraph of a segment. */
const EMPTY = 3;
const FURTHER = 1.5;
const OTHER_KIND = 1;

/**
 * Returns the translations of an original's segments that a whole translation consists of. Paragraphs that are as they were
 * stay where they were; the others are recognised by their order, kind and length. Each paragraph is in one of the segments: a
 * segment may have several, and none when the translation has lost it.
 */
export async function alignTranslation({
  source,
  format,
  present,
  text,
  parse,
}: AlignOptions): Promise<(string | null)[]> {
  const joined = joinText(source, present);
  const before = (await splitText(joined.text, format, parse)).slots;
  const owners = before.map(({ start }) => joined.ranges.findIndex(([, end]) => start < end));
  const after = (await splitText(text.trim(), format, parse)).slots;
  const anchors = commonOrder(before.map(keyOf), after.map(keyOf));
  const blocks: string[][] = source.slots.map(() => []);
  const isUnchanged = source.slots.map(() => true);
  let from: [number, number] = [0, 0];
  for (const [old, place] of [...anchors, [before.length, after.length] as const]) {
    const gap = [...new Set(owners.slice(from[0], old))];
    const written = after.slice(from[1], place);
    const owner = owners[old];
    for (const slot of gap) isUnchanged[slot] = false;
    // What was written between two paragraphs that stayed goes to the one before it.
    const near =
      gap.length > 0 ? gap : written.length > 0 ? [nearest(source, owners, from[0] - 1, owner)] : [];
    for (const slot of near) isUnchanged[slot] = false;
    distribute(near, written, source.slots, blocks);
    if (owner !== undefined && after[place]) blocks[owner]?.push(after[place].text);
    from = [old + 1, place + 1];
  }
  const texts = blocks.map((words, at) => {
    if (isUnchanged[at]) return present[at] ?? null;
    return words.length > 0 ? words.join('\n\n') : null;
  });
  if (isWhole(source, present, blocks)) return blocks.map((words) => words.join('\n\n') || null);
  // The words of the original, where there was no translation, are none.
  return texts.map((words, at) => (present[at] == null && words === source.slots[at]?.text ? null : words));
}

/** A text that is new as a whole may have words of the original among its own, such as names and figures. */
function isWhole(
  { slots }: SplitText,
  present: AlignOptions['present'],
  blocks: readonly string[][],
): boolean {
  const isChanged = blocks.some((words, at) => words.length > 0 && words.join('\n\n') !== slots[at]?.text);
  return isChanged && present.every((text) => text === null);
}

function keyOf({ kind, text }: Slot): string {
  return `${kind} ${text}`;
}

/** Returns a slot that can have a further paragraph: the one before, or the one behind where that is a single line. */
function nearest(
  source: SplitText,
  owners: readonly number[],
  before: number,
  behind: number | undefined,
): number {
  const first = owners[before];
  const takesMore = (slot: number | undefined) =>
    slot !== undefined && ['block', 'verbatim'].includes(source.slots[slot]?.form ?? '');
  return takesMore(first) ? (first ?? 0) : takesMore(behind) ? (behind ?? 0) : (first ?? behind ?? 0);
}

/** Gives each of the blocks to one of the slots, in order, at the least cost by kind and length. */
function distribute(
  owners: readonly number[],
  written: readonly Slot[],
  slots: readonly Slot[],
  blocks: string[][],
): void {
  if (owners.length === 0 || written.length === 0) return;
  const counts =
    owners.length === written.length ? owners.map(() => 1) : cheapestCounts(owners, written, slots);
  let at = 0;
  for (const [index, owner] of owners.entries()) {
    const count = counts[index] ?? 0;
    blocks[owner]?.push(...written.slice(at, at + count).map(({ text }) => text));
    at += count;
  }
}

/** Returns how many of the blocks each slot gets. */
function cheapestCounts(
  owners: readonly number[],
  written: readonly Slot[],
  slots: readonly Slot[],
): number[] {
  const most = Math.ceil(written.length / owners.length) + 5;
  const width = written.length + 1;
  const costs = new Float64Array((owners.length + 1) * width).fill(Number.POSITIVE_INFINITY);
  const chosen = new Uint16Array((owners.length + 1) * width);
  costs[0] = 0;
  for (const [index, owner] of owners.entries()) {
    for (let used = 0; used <= written.length; used += 1) {
      const cost = costs[index * width + used] ?? Number.POSITIVE_INFINITY;
      if (cost === Number.POSITIVE_INFINITY) continue;
      for (let count = 0; count <= Math.min(most, written.length - used); count += 1) {
        const next = (index + 1) * width + used + count;
        const total = cost + costOf(slots[owner], written.slice(used, used + count));
        if (total >= (costs[next] ?? 0)) continue;
        costs[next] = total;
        chosen[next] = count;
      }
    }
  }
  const counts: number[] = [];
  for (let index = owners.length, used = written.length; index > 0; index -= 1) {
    const count = chosen[index * width + used] ?? 0;
    counts.unshift(count);
    used -= count;
  }
  return counts;
}

function costOf(slot: Slot | undefined, given: readonly Slot[]): number {
  const [first] = given;
  if (!slot || !first) return EMPTY;
  const length = given.reduce((sum, { text }) => sum + text.length, 0);
  const kind = first.kind === slot.kind ? 0 : OTHER_KIND;
  return kind + Math.abs(Math.log((length + 1) / (slot.text.length + 1))) + FURTHER * (given.length - 1);
}
