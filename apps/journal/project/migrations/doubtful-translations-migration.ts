import { fillInBatches } from '@fabrica/backend';
import type { Finding } from '@fabrica/dose-guard';
import { type Kysely, sql } from 'kysely';

const FILLED_POSTS = 50;

/** The warnings that keep a text from being released by itself, as they were when this was written. */
const STRUCTURAL: ReadonlySet<string> = new Set<Finding['kind']>([
  ...(['language', 'missing', 'doubled', 'length', 'link', 'mark', 'markup', 'term'] as const),
]);

interface PostRow {
  id: string;
  segments: string;
  published: string | null;
  translations: string | null;
}

interface TextRow {
  id: string;
  segment_id: string;
  language: string;
  state: string;
  version: number | string;
  source_hash: string;
  findings: string | null;
  proposal: string | null;
  blocks: number;
  overruled_at: number | null;
}

type Listed = readonly { id: string; hash: string; part: string }[];
type Facts = Record<string, { by: string; checked: boolean }>;

/**
 * Holds back what the guard has warned of and nobody has reviewed: such texts count as blocked, so that their languages stay as they
 * are until a person has looked at them, and come first in the queue. Readers are told that numbers were compared only where
 * nothing at all was found. What is released stays released.
 */
export const doubtfulTranslations = fillInBatches(async (db, after = '') => {
  const { rows: posts } =
    await sql<PostRow>`SELECT s.id, s.segments, s.published, p.translations FROM post_segments AS s
    LEFT JOIN journal_posts AS p ON p.id = s.id WHERE s.id > ${after} ORDER BY s.id LIMIT ${sql.lit(FILLED_POSTS)}`.execute(
      db,
    );
  for (const post of posts) await holdBack(db, post);
  return posts.length < FILLED_POSTS ? undefined : posts.at(-1)?.id;
});

async function holdBack(db: Kysely<unknown>, post: PostRow): Promise<void> {
  const { rows: stored } =
    await sql<TextRow>`SELECT id, segment_id, language, state, version, source_hash, findings, proposal, blocks,
    overruled_at FROM segment_translations
    WHERE post_id = ${post.id} AND text IS NOT NULL AND (findings IS NOT NULL OR proposal IS NOT NULL)`.execute(
      db,
    );
  if (stored.length === 0) return;
  const texts = stored.map((text) => ({ ...text, blocks: countBlocks(text) }));
  for (const [at, { id, blocks, version }] of texts.entries()) {
    if (blocks === Number(stored[at]?.blocks)) continue;
    await sql`UPDATE segment_translations SET blocks = ${blocks} WHERE id = ${id} AND version = ${version}`.execute(
      db,
    );
  }
  await recount(db, post, texts);
}

/** Counts the texts of a post that are held back, and says no more of a released language that nothing was found where something was. */
async function recount(db: Kysely<unknown>, post: PostRow, texts: readonly TextRow[]): Promise<void> {
  // A node that has read the records before plans its changes anew.
  await sql`UPDATE post_segments SET version = version + 1 WHERE id = ${post.id}`.execute(db);
  const working = textsOf(JSON.parse(post.segments), texts);
  for (const language of new Set(texts.map((text) => text.language))) {
    const blocked = working.filter(
      (text) => text.language === language && text.blocks > 0 && text.overruled_at === null,
    ).length;
    await sql`UPDATE post_languages SET blocked = ${blocked} WHERE id = ${`${post.id}_${language}`}`.execute(
      db,
    );
  }
  if (post.translations === null) return;
  const facts: Facts = JSON.parse(post.translations);
  const shown = textsOf(
    (JSON.parse(post.published ?? post.segments) as Listed).filter(
      ({ part }) => part === 'title' || part === 'content',
    ),
    texts,
  );
  for (const [language, fact] of Object.entries(facts)) {
    // What another program wrote beside a person's text was compared, and its findings are not stored.
    fact.checked &&= !shown.some(
      (text) =>
        text.language === language &&
        (text.findings !== null || (fact.by === 'unknown' && text.proposal !== null)),
    );
  }
  const written = JSON.stringify(facts);
  if (written !== post.translations)
    await sql`UPDATE journal_posts SET translations = ${written}
      WHERE id = ${post.id} AND translations = ${post.translations}`.execute(db);
}

function countBlocks({ findings, state }: TextRow): number {
  const found: Finding[] = JSON.parse(findings ?? '[]');
  return found.filter(
    ({ severity, kind }) =>
      severity === 'block' || (!['edited', 'reviewed'].includes(state) && STRUCTURAL.has(kind)),
  ).length;
}

/** Returns the texts that translate the present words of these segments. */
function textsOf(listed: Listed, texts: readonly TextRow[]): TextRow[] {
  const hashes = new Map(listed.map(({ id, hash }) => [id, hash]));
  return texts.filter(({ segment_id, source_hash }) => hashes.get(segment_id) === source_hash);
}
