import type { Difference, Finding } from '../../../../project/translations.ts';
import type { DeskMessages } from '../../load-desk-messages.ts';

type Texts = DeskMessages['translations'];

/** Returns a sentence that says what differs for the guard, such as "“5 mg” in the original, “50 mg” in the translation." */
export function describeFinding(finding: Finding, { findings: texts }: Texts): string {
  const { kind, target } = finding;
  if (kind === 'decimal' && target) {
    const written = target.text.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'));
    return texts.decimal(written, target.text);
  }
  return describe(finding, texts.kinds[kind as keyof typeof texts.kinds], texts);
}

/** Returns a sentence that says what differs for the second reader. */
export function describeDifference(difference: Difference, { findings, reader }: Texts): string {
  return describe(difference, reader.kinds[difference.kind], findings);
}

function describe(
  { kind, source, target }: Pick<Finding, 'source' | 'target'> & { kind: string },
  explained: string | undefined,
  texts: Texts['findings'],
): string {
  const words = explained ? `${explained} ` : '';
  if (source && target && source.text === target.text) {
    // English reads 1.000 as one, German as a thousand. Or the words beside a number differ: "more than 5 mg" and "5 mg".
    return `${words}${(kind === 'number' ? texts.readOtherwise : texts.beside)(source.text)}`;
  }
  if (source && target) return `${words}${texts.pair(source.text, target.text)}`;
  if (source) return `${words}${texts.onlySource(source.text)}`;
  if (target) return `${words}${texts.onlyTarget(target.text)}`;
  return explained ?? texts.unknown;
}
