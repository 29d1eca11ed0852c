import type { PresentUser } from '@fabrica/contract';
import type { Member } from '../broker/broker.ts';

/** Users that a list names at most, those who came first … */
const MAX_USERS = 1_000;
/** … and characters of what they say of themselves: everybody in the channel gets the list in one piece. */
const MAX_METADATA = 256 * 1024;

/** Each user once, however many sockets of theirs are here: there since the first, and as the newest one says. */
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
