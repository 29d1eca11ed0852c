import { useEffect, useRef, useState } from 'react';
import { useAuth, useClient } from '../../client/client-context.tsx';
import { useRefresher } from '../../live/use-refresher.ts';
import { countLikes, findLike } from './like.ts';
import type { KnownLike, LikeState } from './use-like.ts';

export interface PostLikes extends KnownLike {
  /** Shows the result of a press on the heart. */
  setLike(like: LikeState): void;
  /** Fetches the likes again after others were added or removed. */
  refresh(): void;
}

/** Returns a post's likes, and fetches whether the reader's is among them once it is known who is signed in. */
export function usePostLikes(id: string, { count, liked }: KnownLike): PostLikes {
  const client = useClient();
  const { user, isLoading } = useAuth();
  const userId = user?.id;
  const [known, setKnown] = useState<KnownLike>({ count, liked });
  /** Number of presses so far. Responses to requests from before a press do not know of it. */
  const presses = useRef(0);

  useEffect(() => {
    if (isLoading) return;
    let current = true;
    const before = presses.current;
    const show = (liked: boolean) => {
      if (current && before === presses.current) setKnown((shown) => ({ ...shown, liked }));
    };
    if (userId === undefined) show(false);
    else findLike(client, { kind: 'post', id }, userId).then((own) => show(own !== undefined), reportError);
    return () => {
      current = false;
    };
  }, [client, id, userId, isLoading]);

  const refresh = useRefresher(async () => {
    let before: number;
    let fetched: KnownLike;
    do {
      before = presses.current;
      const [likes, own] = await Promise.all([
        countLikes(client, { kind: 'post', id }),
        userId === undefined ? undefined : findLike(client, { kind: 'post', id }, userId),
      ]);
      fetched = { count: likes, liked: isLoading ? null : own !== undefined };
    } while (before !== presses.current);
    setKnown(fetched);
  });

  return {
    ...known,
    setLike(like) {
      presses.current += 1;
      setKnown(like);
    },
    refresh,
  };
}
