import type { TablePlan } from '@fabrica/backend';
import type { PostDocument } from '../../project/document.ts';
import type { DeskContext } from '../desk-context.ts';
import { targetLanguages } from './original.ts';
import { fillDocument } from './records/fill-document.ts';
import { openRecords, type PostToRecord } from './records/open-records.ts';
import { takeDocument } from './records/take-texts.ts';

export interface SavedTranslations {
  /** The document with the translations that it has now. */
  document: PostDocument;
  plans: TablePlan[];
}

/**
 * Plans what a new document of a post makes of its translations: the segments of the original keep their ids, and what an
 * account has changed in a translation is its text.
 */
export async function saveTranslations(
  { originals, project: { database }, plans }: Pick<DeskContext, 'originals' | 'project' | 'plans'>,
  opened: PostToRecord,
  { document, userId, restores }: { document: PostDocument; userId: string; restores: boolean },
): Promise<SavedTranslations> {
  const { records } = opened;
  const { original: before } = await openRecords(originals, opened);
  const after = await originals.of(document);
  records.adopt(after, before);
  await takeDocument({ originals, database }, records, {
    before: opened.document,
    after: document,
    writer: { kind: 'person', userId },
    restores,
  });
  return {
    document: await fillDocument(originals, records, document),
    plans: records.plans(plans, after, targetLanguages(after.language)),
  };
}

/** Plans the translations of a document that is new. */
export async function createTranslations(
  { originals, project: { database }, plans }: Pick<DeskContext, 'originals' | 'project' | 'plans'>,
  { records, document, userId }: Pick<PostToRecord, 'records' | 'document'> & { userId: string },
): Promise<SavedTranslations> {
  const original = await originals.of(document);
  records.adopt(original, undefined);
  const writer = { kind: 'person' as const, userId };
  await takeDocument({ originals, database }, records, {
    before: undefined,
    after: document,
    writer,
    restores: true,
  });
  return {
    document: await fillDocument(originals, records, document),
    plans: records.plans(plans, original, targetLanguages(original.language)),
  };
}
