import type { Finding } from '../../../../project/translations.ts';
import type { DeskMessages } from '../../load-desk-messages.ts';

/** Returns a sentence that says what differs, such as "“5 mg” in the original, “50 mg” in the translation." */
export function describeFinding(
  { kind, source, target }: Finding,
  { findings: texts }: DeskMessages['translations'],
): string {
  const explained = texts.kinds[kind as keyof typeof texts.kinds];
  if (kind === 'decimal' && target) {
    const written = target.text.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'));
    return texts.decimal(written, target.text);
  }
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
