import type { PresentUser } from '@fabrica/contract';
import type { Member } from '../broker/broker.ts';

/** Users in a list at most: those who joined first. */
const MAX_USERS = 1_000;
/** Characters of metadata in a list at most: each socket in the channel gets the list as one message. */
const MAX_METADATA = 256 * 1024;

/** Returns each user once, with the `joinedAt` of their first socket and the metadata of their newest. */
export function presentUsers(members: readonly Member[]): PresentUser[] {
  const users = new Map<string, PresentUser>();
  let length = 0;
  for (const { userId, metadata, joinedAt, lastSeen } of members) {
    const known = users.get(userId);
    if (!known && users.size === MAX_USERS) continue;
    length += JSON.stringify(metadata).length;
    if (length > MAX_METADATA) break;
    users.set(userId, {
      userId,
      metadata,
      joinedAt: known?.joinedAt ?? joinedAt,
      lastSeen: Math.max(known?.lastSeen ?? 0, lastSeen),
    });
  }
  return [...users.values()];
}
