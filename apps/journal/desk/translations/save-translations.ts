import type { TablePlan } from '@fabrica/backend';
import type { PostDocument } from '../../project/document.ts';
import type { DeskContext } from '../desk-context.ts';
import { targetLanguages } from './original.ts';
import { fillDocument } from './records/fill-document.ts';
import { openRecords, type PostToRecord } from './records/open-records.ts';
import { takeDocument } from './records/take-texts.ts';
import type { Writer } from './records/writer.ts';

/** Returns the writer of the translations that a save changes: a model, where the program that sends them says so. */
export function writerOf(userId: string, translatedBy: 'machine' | undefined): Writer {
  return translatedBy ? { kind: 'model', name: null } : { kind: 'person', userId };
}

interface SavedTranslations {
  /** The document with the translations that it has now. */
  document: PostDocument;
  plans: TablePlan[];
}

/**
 * Plans what a new document of a post makes of its translations: the segments of the original keep their ids, and what is
 * changed in a translation is the writer's text.
 */
export async function saveTranslations(
  { originals, project: { database }, plans }: Pick<DeskContext, 'originals' | 'project' | 'plans'>,
  opened: PostToRecord,
  { document, writer, restores }: { document: PostDocument; writer: Writer; restores: boolean },
): Promise<SavedTranslations> {
  const { records } = opened;
  const { original: before } = await openRecords(originals, opened);
  const after = await originals.of(document);
  records.adopt(after, before);
  await takeDocument({ originals, database }, records, {
    before: opened.document,
    after: document,
    writer,
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
  { records, document, writer }: Pick<PostToRecord, 'records' | 'document'> & { writer: Writer },
): Promise<SavedTranslations> {
  const original = await originals.of(document);
  records.adopt(original, undefined);
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
