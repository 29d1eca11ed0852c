import { openTestAccounts } from '@fabrica/backend/testing/auth/build-test-accounts.ts';
import { expect, onTestFinished, test } from 'vitest';
import { authMigrations } from './migrations.ts';

test('the migration of names empties those that are e-mail addresses, and leaves all others', async () => {
  const accounts = await openTestAccounts();
  onTestFinished(() => accounts.close());
  const names = {
    ana: 'ana@example.org',
    ben: 'Ben at example.org',
    cleo: 'Cléo @ the heart. Ward 5',
    dora: null,
  };
  for (const [id, display_name] of Object.entries(names)) await accounts.createAccount(id, { display_name });
  const { writer } = accounts.project.database;
  await authMigrations['0010-public-names']?.up(writer);
  const rows = await writer.selectFrom('users').select(['id', 'display_name']).orderBy('id').execute();
  expect(rows.filter(({ id }) => Object.hasOwn(names, id))).toEqual(
    Object.entries({ ...names, ana: null }).map(([id, display_name]) => ({ id, display_name })),
  );
});
