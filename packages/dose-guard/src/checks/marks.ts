import type { Difference } from '../findings.ts';
import type { Mark, PlainText } from '../markup/plain-text.ts';

const KINDS = { link: 'link', footnote: 'mark', citation: 'mark', passage: 'mark' } as const;

/** Returns the links, footnote marks and citations that only one side has, and mark-up that is broken or set otherwise, by places of the Markdown. */
export function compareMarks(source: PlainText, target: PlainText): Difference[] {
  const differences: Difference[] = [];
  for (const kind of ['link', 'mark'] as const) {
    const of = (text: PlainText) => text.marks.filter(({ type }) => KINDS[type] === kind);
    const [lost, added] = [without(of(source), of(target)), without(of(target), of(source))];
    for (let index = 0; index < Math.max(lost.length, added.length); index += 1) {
      differences.push({ kind, source: lost[index] ?? null, target: added[index] ?? null });
    }
  }
  const isBroken = findBroken(target.text) && !findBroken(source.text);
  if (isBroken || hasOtherSetting(source, target))
    differences.push({ kind: 'markup', source: null, target: null });
  return differences;
}

/** Returns the marks of one side that the other lacks, each as often as it lacks them. */
function without(marks: readonly Mark[], others: readonly Mark[]): Mark[] {
  const left = new Map<string, number>();
  for (const { type, target } of others)
    left.set(`${type} ${target}`, (left.get(`${type} ${target}`) ?? 0) + 1);
  return marks.filter(({ type, target }) => {
    const count = left.get(`${type} ${target}`) ?? 0;
    left.set(`${type} ${target}`, count - 1);
    return count <= 0;
  });
}

/** Mark-up that was not understood stays in the prose. */
function findBroken(text: string): boolean {
  return /:(?:sup|sub|cite|mark)\b|\]\(|\[\^|\*\*|&[a-z]{2,8};|\^\]/.test(text);
}

/** Raised and lowered signs have characters of their own, so that a text may do without their mark-up. */
function hasOtherSetting({ setting: one }: PlainText, { setting: other }: PlainText): boolean {
  const kinds = new Set([...one.keys(), ...other.keys()].filter((kind) => kind !== 'sup' && kind !== 'sub'));
  return [...kinds].some((kind) => (one.get(kind) ?? 0) !== (other.get(kind) ?? 0));
}
