import type { Project } from '../../src/database/project.ts';
import { newUser } from '../../src/services/auth/accounts/user.ts';
import { createPasswordHasher } from '../../src/services/auth/passwords/password-hasher.ts';
import { authWriter, insertUser, type UserRow } from '../../src/services/auth/queries.ts';

/** The password of every account that `insertTestAccount` makes. */
export const TEST_PASSWORD = 'a long enough passphrase';

/** A password is checked with the cost that it was hashed with: the usual one is more than most tests take. */
const cheap = createPasswordHasher({ cost: { memory: 8, passes: 1, parallelism: 1 } });

/** Writes an account to the database, which can sign in at once. Nothing else happens of what a sign-up does. */
export async function insertTestAccount(
  project: Project,
  given: Partial<UserRow> & Pick<UserRow, 'email'>,
): Promise<void> {
  const password_hash = await cheap.hash(TEST_PASSWORD);
  await insertUser(authWriter(project.database), newUser(project, { password_hash, ...given }));
}
