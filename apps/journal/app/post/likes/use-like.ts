import { useRef, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { addLike, countLikes, findLike, type LikeTarget, removeLike } from './like.ts';

/** A target's likes, and whether the reader's is among them. */
export interface LikeState {
  count: number;
  liked: boolean;
}

/** The same as far as it is known: null until somebody has looked. */
export interface KnownLike {
  count: number;
  liked: boolean | null;
}

export interface Like extends KnownLike {
  /**
   * Likes, or takes it back: shown at once, then put right by the server's answer, undone when it
   * fails (then it rejects). Does nothing while an earlier one is under way.
   */
  toggle(userId: string): Promise<void>;
}

export interface UseLikeOptions {
  /** What is known from elsewhere; it moves, but not what is shown while a press is under way. */
  known: KnownLike;
  /** Told what a press came to. */
  onPressed(like: LikeState): void;
}

/** The likes of one post or comment, as this reader sees and gives them. */
export function useLike({ kind, id }: LikeTarget, { known, onPressed }: UseLikeOptions): Like {
  const client = useClient();
  const [pressed, setPressed] = useState<LikeState | null>(null);
  const busy = useRef(false);

  const toggle = async (reader: string) => {
    if (busy.current) return;
    busy.current = true;
    try {
      const liked = known.liked ?? (await findLike(client, { kind, id }, reader)) !== undefined;
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
