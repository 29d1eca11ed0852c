import { type FabricaClient, FabricaError } from '@fabrica/client';
import type { JournalPost } from '../../entities.ts';
import { localizedColumn } from '../../language/localize.ts';
import type { Achieved, AchievedStore } from '../draft/checkpoint.ts';
import type { Translation } from '../translation/translate-part.ts';
import { type PartProgress, translateParts } from '../translation/translate-parts.ts';
import {
  formatParts,
  isSamePart,
  parseParts,
  type TranslationPart,
} from '../translation/translation-parts.ts';
import { failureReason } from './failure-reason.ts';
import type { Failed, MissingPart } from './publisher.ts';
import type { WhileAlone } from './while-alone.ts';

/** `translated` are those that came and are kept in the post, `missing` those that still did not. */
export type RetryOutcome =
  | { kind: 'retried'; translated: TranslationPart[]; missing: MissingPart[] }
  | Failed;

export interface RetryOptions {
  client: Pick<FabricaClient, 'db' | 'ai'>;
  whileAlone: WhileAlone;
  onProgress(parts: readonly PartProgress[]): void;
}

const ASKED = ['title', 'content', 'untranslated'] as const;

/** Asks again for the translations that a published post lacks, and keeps those that come; never throws. */
export async function retryTranslations(
  postId: string,
  { client, whileAlone, onProgress }: RetryOptions,
): Promise<RetryOutcome> {
  try {
    const outcome = await whileAlone(`post_${postId}`, async (): Promise<RetryOutcome> => {
      const texts = await readTexts(postId, client.db);
      const translations = await translateParts(texts, {
        parts: parseParts(texts.untranslated),
        ai: client.ai,
        achieved: forThisTry(),
        signal: new AbortController().signal,
        onProgress,
      });
      const came = translations.filter(({ text }) => text !== null);
      const kept = came.length > 0 ? await keep(postId, { texts, came, db: client.db }) : [];
      return {
        kind: 'retried',
        translated: kept.map(({ field, language }) => ({ field, language })),
        missing: translations.flatMap(({ field, language, fault }) =>
          fault ? [{ field, language, fault }] : [],
        ),
      };
    });
    return outcome ?? { kind: 'failed', reason: 'elsewhere', error: undefined };
  } catch (error) {
    return { kind: 'failed', reason: failureReason(error), error };
  }
}

type AskedTexts = Pick<JournalPost, (typeof ASKED)[number]>;

async function readTexts(postId: string, db: FabricaClient['db']): Promise<AskedTexts> {
  const posts = db.table<JournalPost>('journalPosts');
  const [texts] = await posts.list({ where: { id: postId }, select: ASKED, limit: 1 });
  if (!texts) throw new FabricaError('NOT_FOUND', 'There is no such post.', { status: 404 });
  return texts;
}

interface KeepOptions {
  texts: AskedTexts;
  came: readonly Translation[];
  db: FabricaClient['db'];
}

/** Looks again at what is missing by now, and at the texts: what was translated from others is let go. */
async function keep(postId: string, { texts, came, db }: KeepOptions): Promise<Translation[]> {
  const now = await readTexts(postId, db);
  const fitting = came.filter(({ field }) => now[field] === texts[field]);
  const columns = fitting.map(({ field, language, text }) => [localizedColumn(field, language), text]);
  const left = parseParts(now.untranslated).filter((part) => !fitting.some((one) => isSamePart(one, part)));
  const changes = { ...Object.fromEntries(columns), untranslated: formatParts(left) };
  await db.table<JournalPost>('journalPosts').update(postId, changes);
  return fitting;
}

function forThisTry(): AchievedStore {
  let held: Achieved = {};
  return {
    read: () => held,
    write: (next) => {
      held = next;
    },
  };
}
