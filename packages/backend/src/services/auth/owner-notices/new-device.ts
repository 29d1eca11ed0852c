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
  const network = ip && ipKey(ip);
  const alike = signIns.filter((one) => one.address === network && one.device === device);
  return signIns.length > 1 && alike.length <= 1;
}

/** Returns whether the account of this e-mail was signed in to from the network of this IP address, in the days of the audit log. */
export async function isNetworkOf({ database }: Project, email: string, ip: string): Promise<boolean> {
  const found = await authReader(database)
    .selectFrom('audit_log')
    .innerJoin('users', 'users.id', 'audit_log.user_id')
    .select('audit_log.id')
    .where('users.email', '=', email)
    .where('audit_log.event', 'in', ['sign-in', 'sign-up'])
    .where('audit_log.address', '=', ipKey(ip))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
