import { AppError, type Database, type UserCaller } from '@fabrica/backend';
import { can } from '@fabrica/contract';
import type { Byline } from '../project/document.ts';
import { roles } from '../project/roles.ts';
import { deskReader } from './queries.ts';

/** Says what an account may do with a post. */
export interface Access {
  /** Read and change the working copy, its revisions and previews. */
  edit: boolean;
  /** Publish, schedule, unpublish, and say who the people of the post are. */
  publish: boolean;
  delete: boolean;
}

interface OwnedPost {
  userId: string;
  byline: Byline;
}

/** Returns what an account may do with a post of this owner and these people. */
export function accessOf(caller: Pick<UserCaller, 'id' | 'role'>, post: OwnedPost): Access {
  const may = (permission: string) => can(roles, caller.role, permission);
  if (may('posts.edit-any')) return { edit: true, publish: true, delete: true };
  const isOwner = post.userId === caller.id;
  const own = post.byline.filter(({ userId }) => userId === caller.id);
  const isAuthor = isOwner || own.some(({ role }) => role === 'author');
  return {
    edit: isOwner || own.length > 0,
    publish: isAuthor && may('posts.create'),
    delete: isOwner,
  };
}

/** Returns what an account may do with a post at present: nothing once it is disabled or gone. */
export async function presentAccess(database: Database, accountId: string, post: OwnedPost): Promise<Access> {
  const account = await deskReader(database)
    .selectFrom('users')
    .select(['id', 'role'])
    .where('id', '=', accountId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return account ? accessOf(account, post) : { edit: false, publish: false, delete: false };
}

/** Returns whether an account may change the posts of all. */
export function maySeeAll(caller: UserCaller): boolean {
  return can(roles, caller.role, 'posts.edit-any');
}

/** Throws FORBIDDEN unless the account's role may write posts. */
export function requireAuthor(caller: UserCaller): void {
  if (!can(roles, caller.role, 'posts.create')) throw notAllowed();
}

export function notAllowed(): AppError {
  return new AppError('FORBIDDEN', 'You are not allowed to do this.');
}

export function noSuchPost(): AppError {
  return new AppError('NOT_FOUND', 'There is no such post.');
}
