import { defineProject, type ProjectDefinition, permitted, type Table } from '@fabrica/backend';
import { announce, channels } from './channels.ts';
import { checkMarkdown } from './check-markdown.ts';
import { forgetAccount } from './forget-account.ts';
import { LANGUAGE_CODES } from './languages.ts';
import type { ParseMarkdown } from './markdown/parse-tree.ts';
import { migrations } from './migrations.ts';
import { NAMED, NEW_COMMENTS } from './notice-kinds.ts';
import { checkImages } from './own-images.ts';
import { roles } from './roles.ts';
import { tables } from './tables.ts';

interface JournalOptions {
  id: string;
  /** Role of new accounts. The default is `author`. */
  signUpRole?: string | undefined;
  origins?: readonly string[];
  /** The origins of absolute URLs of the site's own images. */
  imageOrigins?: readonly string[];
  /** Without it, as in the operator's commands, Markdown is not checked before it is stored. */
  parseMarkdown?: ParseMarkdown;
}

/** Defines the journal as a project of the backend. Throws when the role does not exist. */
export function defineJournal({
  id,
  signUpRole = 'author',
  origins = [],
  imageOrigins = [],
  parseMarkdown,
}: JournalOptions): ProjectDefinition {
  const { journal_posts: posts } = tables;
  const checks = [checkImages(imageOrigins), ...(parseMarkdown ? [checkMarkdown(parseMarkdown)] : [])];
  const check: Table['check'] = async (row, stored) =>
    (await Promise.all(checks.map((one) => one(row, stored)))).flat();
  return defineProject({
    id,
    tables: posts ? { ...tables, journal_posts: { ...posts, check } } : tables,
    roles,
    languages: LANGUAGE_CODES,
    signUpRole,
    origins,
    migrations,
    notices: {
      [NEW_COMMENTS]: { table: 'post_comments', column: 'post_id', about: 'journal_posts' },
      [NAMED]: { table: 'byline_consents', column: 'account_id', about: 'named_accounts' },
    },
    channels,
    announce,
    insights: {
      all: permitted('insights.all'),
      pages: { '/post/{id}': 'journal_posts' },
      counts: {
        likes: { table: 'post_likes', column: 'post_id', about: 'journal_posts' },
        comments: { table: 'post_comments', column: 'post_id', about: 'journal_posts' },
      },
    },
    forgetAccount,
    whenAccountIsDeleted: {
      journal_posts: 'delete',
      byline_consents: 'delete',
      post_likes: 'delete',
      comment_likes: 'delete',
      // Comments that others replied to remain, under an id that no account has: `deleted_` and a random ending.
      // What a deleted account wrote in the posts of others stays theirs.
      post_revisions: { set: { user_id: 'deleted' } },
      post_files: { set: { user_id: 'deleted' } },
      segment_translations: { set: { user_id: 'deleted' } },
      segment_versions: { set: { user_id: 'deleted' } },
      segment_comments: { set: { user_id: 'deleted' } },
      post_languages: { set: { user_id: 'deleted' } },
      translation_terms: { set: { user_id: 'deleted' } },
      translation_memory: { set: { user_id: 'deleted' } },
      translation_reports: { set: { user_id: 'deleted' } },
      post_comments: { set: { user_id: 'deleted', user_name: 'Anonymous' } },
    },
  });
}
