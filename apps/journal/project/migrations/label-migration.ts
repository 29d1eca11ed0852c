import { fillInBatches } from '@fabrica/backend';
import { type Kysely, sql } from 'kysely';

const FILLED_POSTS = 50;

interface Text {
  id: string;
  segment_id: string;
  language: string;
  text: string;
  state: string;
  writer_kind: string;
  source_hash: string;
  user_id: string | null;
  proposal: string | null;
  overruled_at: number | string | null;
  version: number | string;
  updated_at: number | string;
}

interface Post {
  id: string;
  segments: string;
  published: string | null;
  language: string | null;
  first_published_at: number | string | null;
  translations: string | null;
}

/** What becomes of a text that was stored as a person's. */
type Verdict = 'machine' | 'uncertain' | 'person';

interface Position {
  /** The id of the last post. */
  after: string;
  counts: Record<Verdict, number>;
}

const START = JSON.stringify({
  after: '',
  counts: { machine: 0, uncertain: 0, person: 0 },
} satisfies Position);

/**
 * Mends who is said to have written stored translations: versions up to b551f8a noted what the create page sent as its author's. A text is
 * a machine's, which jobs replace, where all languages came with one save before the first publication, and nobody has touched it since.
 * It stays a person's where the desk wrote it by itself: at a time of its own, in words that it did not have before. All else is
 * uncertain: readers are told that a machine wrote it, and jobs leave it as it is. Accepted texts stay, and so do releases. It
 * says how many there are of each; `migrate down` and `up` run it again.
 */
export const labelsOfTranslations = fillInBatches(async (db: Kysely<unknown>, position) => {
  const { after, counts }: Position = JSON.parse(position ?? START);
  const { rows: posts } =
    await sql<Post>`SELECT s.id, s.segments, s.published, COALESCE(p.language, '') AS language,
      (SELECT MIN(r.created_at) FROM post_revisions AS r WHERE r.post_id = s.id AND r.kind = 'published') AS first_published_at,
      p.translations
    FROM post_segments AS s LEFT JOIN journal_posts AS p ON p.id = s.id
    WHERE s.id > ${after} ORDER BY s.id LIMIT ${sql.lit(FILLED_POSTS)}`.execute(db);
  for (const post of posts) await mend(db, post, counts);
  const last = posts.at(-1)?.id;
  if (posts.length === FILLED_POSTS && last)
    return JSON.stringify({ after: last, counts } satisfies Position);
  const { machine, uncertain, person } = counts;
  if (machine + uncertain + person > 0) {
    process.stderr.write(
      `Translations stored as written by people: ${machine} were a machine's; ${uncertain} are uncertain, and count as a machine's; ${person} stay.\n`,
    );
  }
  return undefined;
});

async function mend(db: Kysely<unknown>, post: Post, counts: Record<Verdict, number>): Promise<void> {
  const { rows } =
    await sql<Text>`SELECT id, segment_id, language, text, state, writer_kind, source_hash, user_id, proposal, overruled_at,
      version, updated_at
    FROM segment_translations WHERE post_id = ${post.id} AND text IS NOT NULL`.execute(db);
  const judged = await judge(db, post, rows);
  for (const verdict of judged.values()) counts[verdict] += 1;
  const mended = rows.filter(({ id }) => judged.has(id) && judged.get(id) !== 'person');
  for (const row of mended) {
    const kind = judged.get(row.id) === 'machine' ? 'model' : 'unknown';
    await sql`UPDATE segment_translations SET writer_kind = ${kind}, writer_name = NULL, user_id = NULL, state = 'machine'
      WHERE id = ${row.id} AND version = ${row.version} AND writer_kind = 'person' AND state = 'edited'`.execute(
      db,
    );
    await sql`DELETE FROM translation_memory WHERE user_id = ${row.user_id} AND language = ${row.language}
      AND source_hash = ${row.source_hash} AND text = ${row.text} AND writer_kind = 'person'`.execute(db);
    Object.assign(row, { writer_kind: kind, state: 'machine' });
  }
  if (mended.length > 0) {
    await recount(db, post, mended);
    // Who has read the records before writes nothing over this.
    await sql`UPDATE post_segments SET version = version + 1 WHERE id = ${post.id}`.execute(db);
  }
  await relabel(db, post, rows);
}

/** Returns what becomes of each text that is stored as written by a person and that nobody has accepted. */
async function judge(
  db: Kysely<unknown>,
  { id, language, first_published_at }: Post,
  rows: readonly Text[],
): Promise<ReadonlyMap<string, Verdict>> {
  const doubtful = rows.filter(({ writer_kind, state }) => writer_kind === 'person' && state === 'edited');
  if (doubtful.length === 0) return new Map();
  const together = Map.groupBy(rows, ({ updated_at }) => Number(updated_at));
  const { rows: saves } = await sql<{
    at: number | string;
  }>`SELECT updated_at AS at FROM post_drafts WHERE id = ${id}
    UNION SELECT created_at FROM post_revisions WHERE post_id = ${id}`.execute(db);
  const savedAt = new Set(saves.map(({ at }) => Number(at)));
  const { rows: former } = await sql<{ translation_id: string; text: string }>`SELECT v.translation_id, v.text
    FROM segment_versions AS v JOIN segment_translations AS t ON t.id = v.translation_id WHERE t.post_id = ${id}`.execute(
    db,
  );
  const languages = 4 - (language ? 1 : 0);
  const verdictOf = (row: Text): Verdict => {
    const at = Number(row.updated_at);
    const beside = together.get(at) ?? [];
    const isUntouched =
      Number(row.version) === 1 && first_published_at !== null && at <= Number(first_published_at);
    if (isUntouched && new Set(beside.map((one) => one.language)).size >= languages) return 'machine';
    const isEdited =
      beside.length === 1 &&
      !savedAt.has(at) &&
      row.proposal === null &&
      Number(row.overruled_at) !== at &&
      !former.some((one) => one.translation_id === row.id && one.text === row.text);
    return isEdited ? 'person' : 'uncertain';
  };
  return new Map(doubtful.map((row) => [row.id, verdictOf(row)]));
}

interface Listed {
  id: string;
  hash: string;
  part: string;
}

/** Counts the texts of the present original that were edited, and are a machine's now. */
async function recount(db: Kysely<unknown>, post: Post, mended: readonly Text[]): Promise<void> {
  const present = new Map((JSON.parse(post.segments) as Listed[]).map(({ id, hash }) => [id, hash]));
  const current = mended.filter(({ segment_id, source_hash }) => present.get(segment_id) === source_hash);
  for (const [language, { length }] of Map.groupBy(current, (row) => row.language)) {
    await sql`UPDATE post_languages SET edited = edited - ${length}, machine = machine + ${length}
      WHERE post_id = ${post.id} AND language = ${language}`.execute(db);
  }
}

/** Writes what readers are told of each released language, as of the texts that are released. */
async function relabel(db: Kysely<unknown>, post: Post, rows: readonly Text[]): Promise<void> {
  if (post.translations === null) return;
  const facts: Record<string, { by: string }> = JSON.parse(post.translations);
  const released = new Set(
    (JSON.parse(post.published ?? post.segments) as Listed[])
      .filter(({ part }) => part === 'title' || part === 'content')
      .map(({ id }) => id),
  );
  for (const [language, fact] of Object.entries(facts)) {
    const labels = new Set(
      rows
        .filter((row) => row.language === language && released.has(row.segment_id))
        .map(({ writer_kind: kind }) => (kind === 'person' || kind === 'import' ? 'person' : 'machine')),
    );
    fact.by = labels.size === 2 ? 'mixed' : ([...labels][0] ?? 'machine');
  }
  const translations = JSON.stringify(facts);
  if (translations === post.translations) return;
  await sql`UPDATE journal_posts SET translations = ${translations}
    WHERE id = ${post.id} AND translations = ${post.translations}`.execute(db);
}
