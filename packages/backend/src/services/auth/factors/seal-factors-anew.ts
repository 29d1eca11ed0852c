import { type KeyRing, sealWith, unsealWith } from '../../../core/key-ring.ts';
import type { Database } from '../../../database/port.ts';
import { authWriter } from '../queries.ts';
import { totpContext } from './check-factor.ts';

/** Seals the secrets of all authenticator apps with the current key. Those that no key opens stay as they are. */
export async function sealFactorsAnew(database: Database, keys: KeyRing): Promise<void> {
  const writer = authWriter(database);
  const apps = await writer
    .selectFrom('second_factors')
    .select(['id', 'user_id', 'secret'])
    .where('kind', '=', 'totp')
    .execute();
  for (const { id, user_id, secret } of apps) {
    if (secret === null) continue;
    const opened = await unsealWith(keys, secret, totpContext(user_id)).catch(() => undefined);
    if (opened === undefined) continue;
    await writer
      .updateTable('second_factors')
      .set({ secret: sealWith(keys, opened, totpContext(user_id)) })
      .where('id', '=', id)
      .where('secret', '=', secret)
      .execute();
  }
}
