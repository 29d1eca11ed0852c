import type { Project } from '../../../database/project.ts';
import { ipKey } from '../../../http/networks.ts';
import type { RequestSource } from '../audit.ts';
import { authReader, findUserByEmail } from '../queries.ts';

/**
 * Returns whether an account that was used before has now been signed in to from a browser and a network that it was not
 * used from in the days of the audit log. The sign-in itself is in there already.
 */
export async function isNewDevice(
  project: Project,
  userId: string,
  { ip, device }: RequestSource,
): Promise<boolean> {
  const network = ip && ipKey(ip);
  const used = await signInsOf(project, userId).limit(2).execute();
  const alike = await signInsOf(project, userId)
    .where('address', network === null ? 'is' : '=', network)
    .where('device', device === null ? 'is' : '=', device)
    .limit(2)
    .execute();
  return used.length > 1 && alike.length <= 1;
}

/**
 * Returns whether the account of this e-mail was signed in to from the network of this IP address, in the days of the audit log.
 * However many have guessed at its password, this reads an index alone.
 */
export async function isNetworkOf(project: Project, email: string, ip: string): Promise<boolean> {
  const user = await findUserByEmail(authReader(project.database), email);
  if (!user) return false;
  const found = await signInsOf(project, user.id).where('address', '=', ipKey(ip)).limit(1).execute();
  return found.length > 0;
}

/** Selects sign-ins of an account. The index `audit_log_sign_ins` has them apart from the guesses, of which there may be many. */
function signInsOf({ database }: Project, userId: string) {
  return authReader(database)
    .selectFrom('audit_log')
    .select('id')
    .where('user_id', '=', userId)
    .where('event', 'in', ['sign-in', 'sign-up']);
}
