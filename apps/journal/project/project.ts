import { defineProject, type ProjectDefinition } from '@fabrica/backend';
import { migrations } from './migrations.ts';
import { tables } from './tables.ts';

export interface JournalOptions {
  id: string;
  /** Role of new accounts; `author` unless the operator says otherwise. */
  signUpRole?: string | undefined;
  origins?: readonly string[];
}

/** The journal as a project of the backend. */
export function defineJournal({
  id,
  signUpRole = 'author',
  origins = [],
}: JournalOptions): ProjectDefinition {
  return defineProject({
    id,
    tables,
    roles: {
      reader: { permissions: ['posts.read', 'comments', 'likes'] },
      author: { permissions: ['posts'], inherits: ['reader'] },
      admin: { permissions: ['*'] },
    },
    signUpRole,
    origins,
    migrations,
  });
}
