import type { RoleMap } from '@fabrica/contract';

/** Lists the permissions of the journal's roles, for its row policies and for the pages. An account has one role. */
export const roles: RoleMap = {
  reader: { permissions: ['posts.read', 'comments', 'likes'] },
  author: { permissions: ['posts'], inherits: ['reader'] },
  // These two are named as well, because a permission that no role names counts as mistyped.
  admin: { permissions: ['*', 'insights.all', 'site.edit'] },
};
