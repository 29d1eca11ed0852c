import type { UserCaller } from '@fabrica/backend';
import { requireAuthor } from './access.ts';
import type { DeskContext } from './desk-context.ts';

const MAX_ACCOUNTS = 5;

/**
 * Finds accounts that an author may mean in a byline: those whose name contains the text and that readers see beside a post
 * already, and those who have this very name. Nobody learns of an account whose name is not known. Throws FORBIDDEN.
 */
export async function findAccounts(
  { project: { database } }: DeskContext,
  caller: UserCaller,
  name: string,
): Promise<{ id: string; name: string }[]> {
  requireAuthor(caller);
  const values: string[] = [];
  const bind = (value: string) => {
    values.push(value);
    return database.syntax.placeholder(values.length);
  };
  const exact = name.replace(/[\\%_]/g, '\\$&');
  const whole = database.syntax.ilike('display_name', exact, bind);
  const part = database.syntax.ilike('display_name', `%${exact}%`, bind);
  const rows = await database.query(
    `SELECT id, display_name AS name FROM users WHERE disabled_at IS NULL AND (${whole} OR (${part} AND EXISTS (
       SELECT 1 FROM journal_posts AS p WHERE p.user_id = users.id AND p.published = 1)))
     ORDER BY display_name, id LIMIT ${MAX_ACCOUNTS}`,
    values,
  );
  return rows.map(({ id, name: found }) => ({ id: String(id), name: String(found) }));
}
