import type { PageBackend } from '../../backend-context.ts';
import { addLike, type LikeTarget, removeLike } from './like.ts';
import { readWantedLikes, wantedLikesCookie } from './wanted-likes.ts';

type Reader = Pick<PageBackend, 'client' | 'cookies' | 'reportFailure'>;

/**
 * Gives or takes back the like of the reader whose session the server keeps. A visitor's like is remembered until the
 * sign-in. Returns false for a visitor.
 */
export async function setLike(
  { client, cookies }: Reader,
  target: LikeTarget,
  liked: boolean,
): Promise<boolean> {
  const { user } = client.auth.getState();
  if (user) await (liked ? addLike : removeLike)(client, target, user.id);
  else if (liked) cookies.set(wantedLikesCookie([...readWantedLikes(cookies.header), target]));
  return user !== null;
}

/** Gives the likes that the reader pressed before signing in. Their posts may be gone by now, which is only logged. */
export async function giveWantedLikes({ client, cookies, reportFailure }: Reader): Promise<void> {
  const wanted = readWantedLikes(cookies.header);
  const { user } = client.auth.getState();
  if (wanted.length === 0 || !user) return;
  cookies.set(wantedLikesCookie([]));
  for (const target of wanted) await addLike(client, target, user.id).catch(reportFailure);
}
