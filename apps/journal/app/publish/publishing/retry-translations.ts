import { type FabricaClient, FabricaError } from '@fabrica/client';
import type { JournalPost } from '../../../project/entities.ts';
import { localizedColumn } from '../../../project/localize.ts';
import type { Messages } from '../../language/load-messages.ts';
import type { Checkpoint, CheckpointStore } from '../draft/checkpoint.ts';
import type { Translation } from '../translation/translate-part.ts';
import { type PartProgress, translateParts } from '../translation/translate-parts.ts';
import {
  formatParts,
  isSamePart,
  parseParts,
  type TranslationPart,
} from '../translation/translation-parts.ts';
import { attempt, type Failed } from './attempt.ts';
import { type MissingPart, missingParts } from './post-publisher.ts';

/** Lists the parts that were saved in the post (`translated`) and those that failed again (`missing`). */
export type RetryOutcome =
  | { kind: 'retried'; translated: TranslationPart[]; missing: MissingPart[] }
  | Failed;

export interface RetryTranslationsOptions {
  client: Pick<FabricaClient, 'projectId' | 'request' | 'db' | 'ai'>;
  onProgress(parts: readonly PartProgress[]): void;
}

const TEXT_COLUMNS = ['title', 'content', 'contentFormat', 'untranslated'] as const;

/** Requests the translations that a published post lacks, and saves them. Never throws. */
export function retryTranslations(
  postId: string,
  { client, onProgress }: RetryTranslationsOptions,
): Promise<RetryOutcome> {
  return attempt(`post_${postId}`, async (): Promise<RetryOutcome> => {
    const texts = await readTexts(postId, client.db);
    const translations = await translateParts(texts, {
      parts: parseParts(texts.untranslated),
      ai: client.ai,
      format: texts.contentFormat ?? undefined,
      checkpoint: createMemoryCheckpoint(postId),
      signal: new AbortController().signal,
      onProgress,
    });
    const successful = translations.filter(({ text }) => text !== null);
    const saved =
      successful.length > 0 ? await saveTranslations(postId, { texts, successful, db: client.db }) : [];
    return {
      kind: 'retried',
      translated: saved.map(({ field, language }) => ({ field, language })),
      missing: missingParts(translations),
    };
  });
}

/** Returns a sentence that explains why a post's translations were not requested or not saved. */
export function describeRetryFailure({ reason }: Failed, m: Messages): string {
  const { retryFailed } = m.publish.translations;
  switch (reason) {
    case 'session-ended':
    case 'offline':
    case 'gone':
    case 'elsewhere':
      return retryFailed[reason];
    default:
      return retryFailed.unknown;
  }
}

type PostTexts = Pick<JournalPost, (typeof TEXT_COLUMNS)[number]>;

async function readTexts(postId: string, db: FabricaClient['db']): Promise<PostTexts> {
  const posts = db.table<JournalPost>('journalPosts');
  const [texts] = await posts.list({ where: { id: postId }, select: TEXT_COLUMNS, limit: 1 });
  if (!texts) throw new FabricaError('NOT_FOUND', 'There is no such post.', { status: 404 });
  return texts;
}

interface SaveTranslationsOptions {
  /** The texts that were translated. */
  texts: PostTexts;
  successful: readonly Translation[];
  db: FabricaClient['db'];
}

/** Reads the post again and saves the translations, except those of texts that were changed meanwhile. */
async function saveTranslations(
  postId: string,
  { texts, successful, db }: SaveTranslationsOptions,
): Promise<Translation[]> {
  const now = await readTexts(postId, db);
  const current = successful.filter(({ field }) => now[field] === texts[field]);
  const columns = current.map(({ field, language, text }) => [localizedColumn(field, language), text]);
  const left = parseParts(now.untranslated).filter((part) => !current.some((one) => isSamePart(one, part)));
  const changes = {
    ...Object.fromEntries(columns),
    untranslated: formatParts(left),
    translatedBy: 'machine',
  };
  await db.table<JournalPost>('journalPosts').update(postId, changes);
  return current;
}

function createMemoryCheckpoint(id: string): CheckpointStore {
  let checkpoint: Checkpoint = {};
  return {
    id,
    read: () => checkpoint,
    write: (next) => {
      checkpoint = next;
    },
  };
}
