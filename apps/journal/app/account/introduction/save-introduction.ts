import type { FabricaClient } from '@fabrica/client';
import type { Introduction } from '../../../project/entities.ts';
import type { Language } from '../../../project/languages.ts';

/** Characters of the sentence by which an author introduces themselves. */
export const MAX_SENTENCE_LENGTH = 200;

type Db = Pick<FabricaClient, 'db'>;

/** Returns the sentences of an account, in any language. Rejects with the client's errors. */
export function loadIntroductions({ db }: Db, userId: string): Promise<Introduction[]> {
  return db.table<Introduction>('introductions').list({ where: { userId } });
}

/** Writes the sentence of an account in a language, or removes it if it is blank. Rejects with the client's errors. */
export async function saveIntroduction(
  { db }: Db,
  { userId, language, sentence }: { userId: string; language: Language; sentence: string },
): Promise<void> {
  const table = db.table<Introduction>('introductions');
  const [stored] = await table.list({ where: { userId, language }, limit: 1 });
  if (!stored) {
    if (sentence) await table.create({ userId, language, sentence });
  } else if (sentence) await table.update(stored.id, { sentence });
  else await table.delete(stored.id);
}
