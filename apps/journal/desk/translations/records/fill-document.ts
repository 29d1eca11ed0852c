import type { PostDocument } from '../../../project/document.ts';
import { type Originals, partIn, standIn, targetLanguages, withParts } from '../original.ts';
import { textsIn } from '../releases/readiness.ts';
import type { PostRecords } from './post-records.ts';

interface FillOptions {
  /** Whether the document's own translations come first: of a revision that was kept with them. */
  keepsOwn?: boolean;
}

/**
 * Returns a document with its translations, which are put together from the records. What is missing of a text stands in the
 * words of the original.
 */
export async function fillDocument(
  originals: Originals,
  records: PostRecords,
  document: PostDocument,
  { keepsOwn = false }: FillOptions = {},
): Promise<PostDocument> {
  const original = await originals.of(document);
  return targetLanguages(original.language).reduce((filled, language) => {
    const recorded = textsIn(records, original, { language, currentOnly: false });
    const texts = [...recorded].map(([part, text]) => {
      const own = partIn(document, part, language);
      return [part, keepsOwn ? (own ?? text) : (text ?? own)] as const;
    });
    return withParts(filled, language, new Map(texts));
  }, document);
}

/**
 * Returns a document without the translations that the records have: as it is stored, and compared with another one. A
 * translation of a text that has no segments has none either, and stays. So does an original that stands in for a translation.
 */
export async function storedDocument(originals: Originals, document: PostDocument): Promise<PostDocument> {
  const { language: source, split } = await originals.of(document);
  return targetLanguages(source).reduce((stored, language) => {
    const texts = [...split].map(
      ([part, { slots }]) => [part, (slots.length > 0 ? standIn : partIn)(document, part, language)] as const,
    );
    return withParts(stored, language, new Map(texts));
  }, document);
}
