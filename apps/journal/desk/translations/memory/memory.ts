import { createHash } from 'node:crypto';
import { type TablePlan, type WriteQuota, writeAndPublish } from '@fabrica/backend';
import { can } from '@fabrica/contract';
import type { Kysely } from 'kysely';
import type { Language } from '../../../project/languages.ts';
import { roles } from '../../../project/roles.ts';
import type { WriterKind } from '../../../project/translations.ts';
import { hashWords } from '../../../segments/hash-words.ts';
import type { DeskContext } from '../../desk-context.ts';
import { LEAST_SIMILARITY, MEMORY_KEYS, memoryKeys, similarity } from './similar-texts.ts';

/** A text, its translation, and who stands for it. */
export interface MemoryPair {
  source: { language: Language; text: string };
  target: { language: Language; text: string };
  /** `person` for what somebody wrote or accepted here, `import` for a pair of a file. */
  writer: Extract<WriterKind, 'person' | 'import'>;
  userId: string;
  /** Null for a pair of a file. */
  postId: string | null;
  /** Epoch ms. */
  updatedAt: number;
}

/** A pair whose text is like the one that is translated. */
interface SimilarPair extends Pick<MemoryPair, 'writer' | 'updatedAt'> {
  source: string;
  text: string;
  /** From 0.7 to 1, which is the same words. */
  similarity: number;
}

/** The languages that a translation is made from and into. */
interface Direction {
  source: Language;
  target: Language;
}

interface PairRow {
  id: string;
  source_language: Language;
  language: Language;
  source_hash: string;
  source_text: string;
  text: string;
  writer_kind: WriterKind;
  user_id: string | null;
  post_id: string | null;
  updated_at: number;
}

interface MemoryTables {
  translation_memory: PairRow & Record<(typeof MEMORY_KEYS)[number], string>;
  journal_posts: { id: string; published: number };
  users: { id: string; role: string };
}

type Memory = Pick<DeskContext, 'project' | 'plans' | 'bus'>;

const MAX_SIMILAR = 5;
/** Rows under the keys of one text that are compared with it. */
const MAX_CANDIDATES = 200;
const HASHES_AT_ONCE = 500;

const readerOf = ({ project }: Pick<DeskContext, 'project'>) =>
  project.database.reader as Kysely<MemoryTables>;

/** Plans that pairs are remembered: of each account the last translation of the same words, and one of all files. */
export function rememberPlan({ plans }: Pick<Memory, 'plans'>, pairs: readonly MemoryPair[]): TablePlan {
  const rows = new Map(pairs.map((pair) => rowOf(pair)).map((row) => [row.id, row]));
  return plans.put('translation_memory', [...rows.values()]);
}

/** Remembers the pairs of a file, on the quota of who brings it. */
export async function rememberPairs(
  memory: Memory,
  pairs: readonly MemoryPair[],
  quota: WriteQuota | undefined,
): Promise<void> {
  if (pairs.length === 0) return;
  await writeAndPublish(memory.project, memory.bus, { plans: [rememberPlan(memory, pairs)], quota });
}

/**
 * Returns translations of exactly these words, by their hashes, the newest of each. They are taken without anybody's look, so
 * they are the account's own, of a file, or of somebody who may review.
 */
export async function findExact(
  memory: Pick<Memory, 'project'>,
  { source, target }: Direction,
  { hashes, userId }: { hashes: readonly string[]; userId: string },
): Promise<ReadonlyMap<string, string>> {
  const found: PairRow[] = [];
  for (let start = 0; start < hashes.length; start += HASHES_AT_ONCE) {
    const rows = await readerOf(memory)
      .selectFrom('translation_memory')
      .selectAll()
      .where('language', '=', target)
      .where('source_hash', 'in', hashes.slice(start, start + HASHES_AT_ONCE))
      .where('source_language', '=', source)
      .orderBy('updated_at')
      .execute();
    found.push(...rows);
  }
  const reviewers = await findReviewers(memory, found);
  const trusted = found.filter(
    ({ writer_kind, user_id }) =>
      writer_kind === 'import' || user_id === userId || reviewers.has(user_id ?? ''),
  );
  return new Map(trusted.map(({ source_hash, text }) => [source_hash, text]));
}

/**
 * Returns pairs whose words are like these, the most alike first: those of files, of published posts and of the account
 * itself; accounts that may review get those of unpublished posts too.
 */
export async function findSimilar(
  memory: Pick<Memory, 'project'>,
  { source, target }: Direction,
  { text, userId, seesAll }: { text: string; userId: string; seesAll: boolean },
): Promise<SimilarPair[]> {
  const keys = memoryKeys(text);
  const rows = await readerOf(memory)
    .selectFrom('translation_memory as pair')
    .leftJoin('journal_posts as post', 'post.id', 'pair.post_id')
    .select(['pair.source_text', 'pair.text', 'pair.writer_kind', 'pair.updated_at'])
    .where('pair.language', '=', target)
    .where('pair.source_language', '=', source)
    .where((where) =>
      where.or(MEMORY_KEYS.map((name, index) => where(`pair.${name}`, '=', keys[index] ?? ''))),
    )
    .$if(!seesAll, (query) =>
      query.where((where) =>
        where.or([
          where('pair.writer_kind', '=', 'import'),
          where('pair.user_id', '=', userId),
          where('post.published', '=', 1),
        ]),
      ),
    )
    .orderBy('pair.updated_at', 'desc')
    .limit(MAX_CANDIDATES)
    .execute();
  const seen = new Set<string>();
  return rows
    .map((row) => ({
      source: row.source_text,
      text: row.text,
      writer: row.writer_kind === 'import' ? ('import' as const) : ('person' as const),
      updatedAt: Number(row.updated_at),
      similarity: similarity(text, row.source_text),
    }))
    .filter((pair) => pair.similarity >= LEAST_SIMILARITY)
    .sort((one, other) => other.similarity - one.similarity)
    .filter((pair) => !seen.has(pair.text) && seen.add(pair.text))
    .slice(0, MAX_SIMILAR);
}

/** Returns all pairs, the newest first, and so many at most. */
export async function listPairs(memory: Pick<Memory, 'project'>, limit: number): Promise<MemoryPair[]> {
  const rows = await readerOf(memory)
    .selectFrom('translation_memory')
    .selectAll()
    .orderBy('updated_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    source: { language: row.source_language, text: row.source_text },
    target: { language: row.language, text: row.text },
    writer: row.writer_kind === 'import' ? 'import' : 'person',
    userId: row.user_id ?? '',
    postId: row.post_id,
    updatedAt: Number(row.updated_at),
  }));
}

async function findReviewers(
  memory: Pick<Memory, 'project'>,
  rows: readonly PairRow[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(rows.flatMap(({ user_id }) => user_id ?? []))];
  if (ids.length === 0) return new Set();
  const users = await readerOf(memory)
    .selectFrom('users')
    .select(['id', 'role'])
    .where('id', 'in', ids)
    .execute();
  return new Set(users.filter(({ role }) => can(roles, role, 'translations.review')).map(({ id }) => id));
}

function rowOf({ source, target, writer, userId, postId, updatedAt }: MemoryPair) {
  const hash = hashWords(source.text);
  const owner = writer === 'import' ? 'import' : userId;
  const name = [source.language, target.language, hash, owner].join(' ');
  const keys = memoryKeys(source.text);
  return {
    id: `pair_${createHash('sha256').update(name).digest('base64url').slice(0, 24)}`,
    source_language: source.language,
    language: target.language,
    source_hash: hash,
    source_text: source.text,
    text: target.text,
    writer_kind: writer,
    user_id: userId,
    post_id: postId,
    updated_at: updatedAt,
    ...Object.fromEntries(MEMORY_KEYS.map((column, index) => [column, keys[index] ?? ''])),
  };
}
