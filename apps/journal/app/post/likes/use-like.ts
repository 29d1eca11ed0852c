import { useRef, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { addLike, countLikes, findLike, type LikeTarget, removeLike } from './like.ts';

/** Holds the number of likes, and whether the reader's is among them. */
export interface LikeState {
  count: number;
  liked: boolean;
}

/** Holds the same, with `liked` as `null` until it is known. */
export interface KnownLike {
  count: number;
  liked: boolean | null;
}

interface Like extends KnownLike {
  /**
   * Adds or removes the reader's like. The change is shown at once, and corrected by the server's count. Rejects and
   * undoes it when the request fails. Does nothing while an earlier call is in progress, and where the like is in the
   * `wanted` state already.
   */
  toggle(userId: string, wanted?: boolean): Promise<void>;
}

export interface UseLikeOptions {
  /** The state that others update. It is not shown while a press is in progress. */
  known: KnownLike;
  /** Called with the new state after a press. */
  onPressed(like: LikeState): void;
}

/** Returns the likes of a post or comment, with a function that toggles the reader's own. */
export function useLike({ kind, id }: LikeTarget, { known, onPressed }: UseLikeOptions): Like {
  const client = useClient();
  const [pressed, setPressed] = useState<LikeState | null>(null);
  const busy = useRef(false);

  const toggle = async (reader: string, wanted?: boolean) => {
    if (busy.current) return;
    busy.current = true;
    try {
      const liked = known.liked ?? (await findLike(client, { kind, id }, reader)) !== undefined;
      if (liked === wanted) return;
      const after = { liked: !liked, count: Math.max(0, known.count + (liked ? -1 : 1)) };
      setPressed(after);
      await (liked ? removeLike : addLike)(client, { kind, id }, reader);
      const count = await countLikes(client, { kind, id }).catch(() => after.count);
      onPressed({ ...after, count });
    } finally {
      busy.current = false;
      setPressed(null);
    }
  };

  return { ...(pressed ?? known), toggle };
}
