import type { RoleMap } from '@fabrica/contract';

/** What the journal's roles may do, for its row policies and for what pages offer. An account has one of them. */
export const roles: RoleMap = {
  reader: { permissions: ['posts.read', 'comments', 'likes'] },
  author: { permissions: ['posts'], inherits: ['reader'] },
  // By name as well: a permission that no role names counts as mistyped.
  admin: { permissions: ['*', 'insights.all'] },
};
