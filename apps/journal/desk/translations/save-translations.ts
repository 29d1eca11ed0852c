import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TablePlan } from '@fabrica/backend';
import type { PostDocument } from '../../project/document.ts';
import type { DeskContext } from '../desk-context.ts';
import { type Original, targetLanguages } from './original.ts';
import { fillDocument } from './records/fill-document.ts';
import { openRecords, type PostToRecord } from './records/open-records.ts';
import type { PostRecords } from './records/post-records.ts';
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

type Services = Pick<DeskContext, 'originals' | 'project' | 'plans'>;

/**
 * Plans what a new document of a post makes of its translations: the segments of the original keep their ids, and what is
 * changed in a translation is the writer's text.
 */
export async function saveTranslations(
  services: Services,
  opened: PostToRecord,
  { document, writer, restores }: { document: PostDocument; writer: Writer; restores: boolean },
): Promise<SavedTranslations> {
  const { original } = await openRecords(services.originals, opened);
  const before = { original, document: opened.document };
  return adoptDocument(services, opened.records, { before, document, writer, restores });
}

/** Plans the translations of a document that is new. */
export function createTranslations(
  services: Services,
  { records, document, writer }: Pick<PostToRecord, 'records' | 'document'> & { writer: Writer },
): Promise<SavedTranslations> {
  return adoptDocument(services, records, { before: undefined, document, writer, restores: true });
}

interface Adoption {
  before: { original: Original; document: PostDocument } | undefined;
  document: PostDocument;
  writer: Writer;
  restores: boolean;
}

async function adoptDocument(
  { originals, project: { database }, plans }: Services,
  records: PostRecords,
  { before, document, writer, restores }: Adoption,
): Promise<SavedTranslations> {
  const original = await originals.of(document);
  records.adopt(original, before?.original);
  // Thousands of segments take a while. Other requests are served in between.
  await nextTurn();
  await takeDocument({ originals, database }, records, {
    ...{ before: before?.document, after: document },
    ...{ writer, restores },
  });
  const filled = await fillDocument(originals, records, document);
  await nextTurn();
  return { document: filled, plans: records.plans(plans, original, targetLanguages(original.language)) };
}
