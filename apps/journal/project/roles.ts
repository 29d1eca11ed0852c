import type { RoleMap } from '@fabrica/contract';

/** Lists the permissions of the journal's roles, for its row policies, the desk and the pages. An account has one role. */
export const roles: RoleMap = {
  reader: { permissions: ['posts.read', 'comments.create', 'likes'] },
  /** Writes posts of its own, and those that it is named in. */
  author: { permissions: ['posts.create'], inherits: ['reader'] },
  /** Changes all posts and their translations, and removes comments. */
  editor: {
    permissions: ['posts.edit-any', 'translations.review', 'comments.moderate'],
    inherits: ['author'],
  },
  // These are named as well, because a permission that no role names counts as mistyped.
  admin: { permissions: ['*', 'insights.all', 'people.edit', 'site.edit'], inherits: ['editor'] },
};
