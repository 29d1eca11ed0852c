import type { Finding } from '../../../../project/translations.ts';
import type { DeskMessages } from '../../load-desk-messages.ts';

/** Returns a sentence such as "5 mg here, 50 mg there." */
export function describeFinding(
  { kind, source, target }: Finding,
  { findings: texts }: DeskMessages['translations'],
): string {
  const explained = texts.kinds[kind as keyof typeof texts.kinds];
  const words = explained ? `${explained} ` : '';
  if (source && target) return `${words}${texts.pair(source.text, target.text)}`;
  if (source) return `${words}${texts.onlySource(source.text)}`;
  if (target) return `${words}${texts.onlyTarget(target.text)}`;
  return explained ?? texts.unknown;
}
