import { equals, type Table, through } from '@fabrica/backend';
import { jsonOf, postDocument, WEB_URL } from './document.ts';
import { SLUG } from './document-limits.ts';

const id = { type: 'text', max: 100, pattern: /^[A-Za-z0-9_-]+$/ } as const;
const time = { type: 'integer', min: 0 } as const;
const optionalTime = { ...time, nullable: true } as const;
const document = { type: 'text', max: 4_000_000, check: jsonOf(postDocument) } as const;

/** Closes a table to all but the secret key and the desk itself. */
const closed = { anonymous: {}, signedIn: {} };

const onPublishedPost = through('post_id', 'journal_posts', equals('published', 1));

/** Defines the tables of the editorial desk (docs/decisions/editorial-desk.md). */
export const deskTables: Record<string, Table> = {
  /** Working copies, under the ids of their posts. */
  post_drafts: {
    idPrefix: 'post_',
    columns: {
      id,
      /** The owner, as in `journal_posts`. */
      user_id: id,
      /** Grows with each write: the ETag of the working copy. */
      version: { type: 'integer', min: 1 },
      state: { type: 'text', max: 20, pattern: /^(?:draft|scheduled|published|unpublished)$/ },
      /** 1 when the document differs from the one that was published last. */
      changed: { type: 'integer', min: 0, max: 1 },
      title: { type: 'text', max: 300 },
      image_url: { type: 'text', max: 2_000, nullable: true },
      /** The languages that the content exists in, the original first: `de,en`. */
      languages: { type: 'text', max: 11 },
      /** The accounts of the byline, each between commas: `,user_1,user_2,`. */
      people: { type: 'text', max: 6_000 },
      /** Tells how many revisions there have been: the number of the last one. */
      revisions: time,
      /** The time of the last kept autosave. */
      revised_at: time,
      published_revision: { ...id, nullable: true },
      /** The time of the last publication. */
      published_at: optionalTime,
      /** `updated_at` of the post when the desk last wrote or read it: another one tells that another program changed it. */
      post_updated_at: optionalTime,
      scheduled_at: optionalTime,
      time_zone: { type: 'text', max: 100, nullable: true },
      /** Names what the document lacked when it was due, as `title,cover`. */
      schedule_fault: { type: 'text', max: 100, nullable: true },
      discarded_at: optionalTime,
      /** JSON: what the author says of the words that a scheduled publication changes. */
      announcement: { type: 'text', max: 2_000, nullable: true },
      /** The words that the desk searches. */
      words: { type: 'text', max: 400_000, nullable: true },
      created_at: time,
      updated_at: time,
      updated_by: { ...id, nullable: true },
      document,
    },
    files: ['image_url'],
    policies: closed,
  },
  post_revisions: {
    idPrefix: 'revision_',
    columns: {
      id,
      post_id: id,
      /** The account that wrote the document. */
      user_id: id,
      number: { type: 'integer', min: 1 },
      kind: { type: 'text', max: 20, pattern: /^(?:published|saved)$/ },
      created_at: time,
      document,
    },
    policies: closed,
  },
  post_slugs: {
    columns: {
      /** The slug itself. */
      id: { type: 'text', max: 80, pattern: SLUG },
      post_id: id,
      language: { type: 'text', max: 2, pattern: /^(?:en|es|fr|de)$/ },
      /** 1 for the one slug that is the post's address in its language; the others lead to it. */
      current: { type: 'integer', min: 0, max: 1 },
      created_at: time,
    },
    policies: { anonymous: { read: onPublishedPost }, signedIn: { read: onPublishedPost } },
  },
  post_previews: {
    columns: {
      /** The hash of the link's token. */
      id: { type: 'text', max: 100, pattern: /^[A-Za-z0-9_-]+$/ },
      post_id: id,
      user_id: id,
      created_at: time,
      expires_at: time,
    },
    policies: closed,
  },
  post_files: {
    idPrefix: 'file_',
    columns: { id, post_id: id, user_id: id, url: { type: 'text', max: 2_000, pattern: WEB_URL } },
    onePer: ['post_id', 'url'],
    files: ['url'],
    policies: closed,
  },
};
