import type { Language } from '../../../project/languages.ts';
import type { SegmentKind } from '../../../project/translations.ts';

export const ENGLISH_NAMES: Record<Language, string> = {
  en: 'English',
  es: 'Spanish',
  fr: 'French',
  de: 'German',
};

/** Returns the name of the element around each text: one that none of the texts contains. */
export function chooseTag(texts: readonly string[]): string {
  let tag = 'seg';
  for (
    let number = 2;
    texts.some((text) => text.includes(`<${tag}`) || text.includes(`</${tag}`));
    number += 1
  ) {
    tag = `seg${number}`;
  }
  return tag;
}

/**
 * Returns texts as the model is given them and has to return them: `<seg id="1">…</seg>`, a line each. Those that are no
 * paragraphs say their kind: `<seg id="1" kind="title">…</seg>`.
 */
export function writeBatch(
  texts: readonly string[],
  tag: string,
  kinds: readonly SegmentKind[] = [],
): string {
  const kindOf = (index: number) => {
    const kind = kinds[index] ?? 'paragraph';
    return kind === 'paragraph' ? '' : ` kind="${kind}"`;
  };
  return texts.map((text, index) => `<${tag} id="${index + 1}"${kindOf(index)}>${text}</${tag}>`).join('\n');
}
