import type { Project } from '../../../database/project.ts';
import { ipKey } from '../../../http/networks.ts';
import type { RequestSource } from '../audit.ts';
import { authReader } from '../queries.ts';

/** Sign-ins that are looked through. */
const REMEMBERED = 200;

/**
 * Returns whether an account that was used before has now been signed in to from a browser and a network that it was not
 * used from in the days of the audit log. The sign-in itself is in there already.
 */
export async function isNewDevice(
  { database }: Project,
  userId: string,
  { ip, device }: RequestSource,
): Promise<boolean> {
  const signIns = await authReader(database)
    .selectFrom('audit_log')
    .select(['address', 'device'])
    .where('user_id', '=', userId)
    .where('event', 'in', ['sign-in', 'sign-up'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(REMEMBERED)
    .execute();
  const address = ip && ipKey(ip);
  const alike = signIns.filter((one) => one.address === address && one.device === device);
  return signIns.length > 1 && alike.length <= 1;
}
