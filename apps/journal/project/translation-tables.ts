import type { Table } from '@fabrica/backend';
import { RELEASE_RULES, RELEASE_STATES, WRITER_KINDS } from './translations.ts';

const id = { type: 'text', max: 100, pattern: /^[A-Za-z0-9_-]+$/ } as const;
const optionalId = { ...id, nullable: true } as const;
const time = { type: 'integer', min: 0 } as const;
const optionalTime = { ...time, nullable: true } as const;
const count = { type: 'integer', min: 0, default: 0 } as const;
const language = { type: 'text', max: 2, pattern: /^(?:en|es|fr|de)$/ } as const;
const hash = { type: 'text', max: 16, pattern: /^[A-Za-z0-9_-]{16}$/ } as const;
const text = { type: 'text', max: 400_000 } as const;
const optionalText = { ...text, nullable: true } as const;
const name = { type: 'text', max: 200, nullable: true } as const;
const words = { type: 'text', max: 2_000, nullable: true } as const;
const memoryKey = { type: 'text', max: 20, default: '' } as const;
const writerKind = oneOf(WRITER_KINDS);

/** Closes a table to all but the secret key and the desk itself. */
const closed = { anonymous: {}, signedIn: {} };

function oneOf(values: readonly string[]) {
  return { type: 'text', max: 20, pattern: new RegExp(`^(?:${values.join('|')})$`) } as const;
}

/** Defines the tables of translations (docs/decisions/translation-desk.md). */
export const translationTables: Record<string, Table> = {
  /** The segments of each post's original, in order: a row for each post, under its id. */
  post_segments: {
    columns: {
      id,
      /** Grows with each write. */
      version: { type: 'integer', min: 1 },
      /** JSON of `ListedSegment[]`: of the working copy, and of what was published last. */
      segments: { type: 'text', max: 4_000_000 },
      published: { type: 'text', max: 4_000_000, nullable: true },
      /** `updated_at` of the post when its columns were last compared with the records. */
      post_updated_at: optionalTime,
      /** 1 where the present guard has examined all texts; null has them examined anew. */
      examined: { type: 'integer', min: 1, max: 1, nullable: true },
      updated_at: time,
    },
    policies: closed,
  },
  /** The text of a segment in a language. It stays when its segment is removed from the original. */
  segment_translations: {
    columns: {
      /** The ids of the segment and of the language: `s1a2b3c4d5e6_de`. */
      id,
      post_id: id,
      segment_id: id,
      language,
      /** Null for what is missing. */
      text: optionalText,
      /** The state of the text; `outdated` follows from the hash. */
      state: oneOf(['missing', 'machine', 'edited', 'reviewed']),
      writer_kind: writerKind,
      /** The model, or the name that an import has. */
      writer_name: name,
      /** The account that wrote the text. */
      user_id: optionalId,
      /** The hash of what the text translates. */
      source_hash: hash,
      source_text: text,
      proposal: optionalText,
      /** The hash of what the proposal translates. */
      proposal_hash: { ...hash, nullable: true },
      /** JSON of `Finding[]`; null for none. */
      findings: { ...optionalText },
      /** Tells how many of the findings keep the language from being released. */
      blocks: count,
      /** JSON of `StoredReading`, of exactly these texts and findings; null for what no second model has read. */
      reading: { ...optionalText },
      overruled_by: optionalId,
      overruled_reason: { type: 'text', max: 1_000, nullable: true },
      overruled_at: optionalTime,
      reviewed_by: optionalId,
      reviewed_at: optionalTime,
      version: { type: 'integer', min: 1 },
      updated_at: time,
    },
    policies: closed,
  },
  /** Former texts. */
  segment_versions: {
    idPrefix: 'text_',
    columns: {
      id,
      /** The row of `segment_translations`. */
      translation_id: id,
      version: { type: 'integer', min: 1 },
      text,
      state: oneOf(['missing', 'machine', 'edited', 'reviewed']),
      writer_kind: writerKind,
      writer_name: name,
      user_id: optionalId,
      source_text: text,
      created_at: time,
    },
    policies: closed,
  },
  segment_comments: {
    idPrefix: 'note_',
    columns: {
      id,
      post_id: id,
      segment_id: id,
      language,
      user_id: id,
      text: { type: 'text', min: 1, max: 5_000, trim: true },
      created_at: time,
    },
    policies: closed,
  },
  /** Records what became of a post in a language. */
  post_languages: {
    columns: {
      /** The ids of the post and of the language. */
      id: { ...id, max: 110 },
      post_id: id,
      language,
      state: oneOf(RELEASE_STATES),
      rule: { ...oneOf(RELEASE_RULES), default: 'checked' },
      missing: count,
      machine: count,
      edited: count,
      reviewed: count,
      outdated: count,
      blocked: count,
      /** The hash of the columns that readers see, as the desk wrote or read them last. */
      columns_hash: { ...hash, nullable: true },
      released_at: optionalTime,
      user_id: optionalId,
      updated_at: time,
    },
    policies: closed,
  },
  translation_jobs: {
    idPrefix: 'job_',
    columns: {
      id,
      post_id: id,
      user_id: id,
      state: oneOf(['waiting', 'running', 'done', 'failed', 'cancelled']),
      /** `de,fr`. */
      languages: { type: 'text', max: 11 },
      /** JSON of the ids of the segments; null for all that need it. */
      segments: optionalText,
      words_done: count,
      words_total: count,
      fault: { type: 'text', max: 1_000, nullable: true },
      attempts: count,
      /** Tells when the node that works on it loses it to another one. */
      leased_until: optionalTime,
      leased_by: optionalId,
      created_at: time,
      updated_at: time,
    },
    policies: closed,
  },
  /** A concept with its terms in the languages. */
  translation_terms: {
    idPrefix: 'term_',
    columns: {
      id,
      user_id: id,
      /** A line for each word, the preferred one first. */
      ...{ term_en: words, term_es: words, term_fr: words, term_de: words },
      note: { type: 'text', max: 2_000, nullable: true },
      /** 1 for what stays as it is in every language. */
      keep: { type: 'integer', min: 0, max: 1, default: 0 },
      created_at: time,
      updated_at: time,
    },
    policies: closed,
  },
  /** Pairs of texts that were accepted or written by people. */
  translation_memory: {
    idPrefix: 'pair_',
    columns: {
      id,
      source_language: language,
      language,
      source_hash: hash,
      source_text: text,
      text,
      writer_kind: writerKind,
      user_id: optionalId,
      /** Null for a pair that was imported. */
      post_id: optionalId,
      updated_at: time,
      /** Alike texts share at least one of them (`desk/translations/memory/similar-texts.ts`). */
      ...{ key_1: memoryKey, key_2: memoryKey, key_3: memoryKey, key_4: memoryKey },
    },
    policies: closed,
  },
  /** Holds what readers report about a translation. */
  translation_reports: {
    idPrefix: 'report_',
    columns: {
      id,
      post_id: id,
      language,
      segment_id: optionalId,
      quote: { type: 'text', max: 2_000 },
      message: { type: 'text', min: 1, max: 5_000, trim: true },
      /** The account of who reported it; null for visitors. */
      user_id: optionalId,
      resolved_by: optionalId,
      resolved_at: optionalTime,
      created_at: time,
    },
    policies: closed,
  },
  /** What a text is and for whom, by which a language of it is translated. */
  translation_briefs: {
    columns: {
      /** The ids of the post and of the language. */
      id: { ...id, max: 110 },
      post_id: id,
      language,
      /** JSON of the hashes of the segments that it was made of. */
      hashes: { type: 'text', max: 400_000 },
      /** JSON of `Brief`. */
      brief: { type: 'text', max: 4_000 },
      created_at: time,
    },
    policies: closed,
  },
  comment_translations: {
    columns: {
      /** The ids of the comment and of the language. */
      id: { ...id, max: 110 },
      comment_id: id,
      language,
      source_hash: hash,
      text,
      findings: optionalText,
      created_at: time,
    },
    policies: closed,
  },
};
