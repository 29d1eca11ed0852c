import { fillInBatches } from '@fabrica/backend';
import type { compareSegments, Finding } from '@fabrica/dose-guard';
import { type Kysely, sql } from 'kysely';
import type { Language } from '../languages.ts';
import { recogniseLanguage, recogniseOther } from '../recognise-language.ts';
import { type PostRow, recount, type TextRow } from './doubtful-translations-migration.ts';

/** Some posts have thousands of segments, each of which takes up to two milliseconds. */
const EXAMINED_POSTS = 5;

interface OriginalRow extends PostRow {
  language: Language | null;
  content: string | null;
  /** The working copy. */
  document: string | null;
}

interface ExaminedRow extends TextRow {
  language: Language;
  text: string;
  source_text: string;
}

/**
 * Has the guard read all stored translations anew: former findings do not tell doubts from warnings, and know no opposites. What a text
 * says against the glossary stays as it was found. Where something is found, a language is no more released by itself, and
 * readers are no longer told that numbers were compared; what is released stays released.
 */
export const examinedAnew = fillInBatches(async (db, after = '') => {
  const guard = await import('@fabrica/dose-guard');
  const { rows: posts } =
    await sql<OriginalRow>`SELECT s.id, s.segments, s.published, p.translations, p.language, p.content, d.document
    FROM post_segments AS s LEFT JOIN journal_posts AS p ON p.id = s.id LEFT JOIN post_drafts AS d ON d.id = s.id
    WHERE s.id > ${after} ORDER BY s.id LIMIT ${sql.lit(EXAMINED_POSTS)}`.execute(db);
  for (const post of posts) await examine(db, post, guard.compareSegments);
  return posts.length < EXAMINED_POSTS ? undefined : posts.at(-1)?.id;
});

async function examine(db: Kysely<unknown>, post: OriginalRow, compare: typeof compareSegments) {
  const { language, content } = post.document === null ? post : JSON.parse(post.document);
  const source: Language | undefined = language ?? recogniseLanguage(content ?? '');
  const { rows: stored } =
    await sql<ExaminedRow>`SELECT id, segment_id, language, text, source_text, state, version, source_hash, findings, proposal, blocks,
    overruled_at FROM segment_translations WHERE post_id = ${post.id} AND text IS NOT NULL`.execute(db);
  if (!source || stored.length === 0) return;
  const texts = stored.map((row) => {
    const former: Finding[] = JSON.parse(row.findings ?? '[]');
    const terms = former.filter(({ kind }) => kind === 'term');
    const found = compare(
      { text: row.source_text, language: source },
      { text: row.text, language: row.language },
      { recogniseOther },
    );
    const findings = [...found, ...terms.map((one) => ({ ...one, severity: 'doubt' as const }))];
    const isOfPerson = ['edited', 'reviewed'].includes(row.state);
    const blocks = findings.filter(
      ({ severity }) => severity === 'block' || (severity === 'doubt' && !isOfPerson),
    ).length;
    return { ...row, findings: findings.length > 0 ? JSON.stringify(findings) : null, blocks };
  });
  for (const [at, { id, version, findings, blocks }] of texts.entries()) {
    if (findings === stored[at]?.findings && blocks === Number(stored[at]?.blocks)) continue;
    await sql`UPDATE segment_translations SET findings = ${findings}, blocks = ${blocks}
      WHERE id = ${id} AND version = ${version}`.execute(db);
  }
  await recount(db, post, texts);
}
