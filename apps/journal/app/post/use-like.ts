import { useEffect, useRef, useState } from 'react';
import { useAuth, useClient } from '../client/client-context.tsx';
import { addLike, countLikes, findLike, type LikeTarget, removeLike } from './like.ts';

/** A target's likes, and whether the reader's is among them. */
export interface LikeState {
  count: number;
  liked: boolean;
}

export interface Like extends LikeState {
  /**
   * Likes, or takes it back: shown at once, then put right by the server's answer, undone when it
   * fails (then it rejects). Does nothing while an earlier one is under way.
   */
  toggle(userId: string): Promise<void>;
}

export interface UseLikeOptions {
  count: number;
  /** Null when it is not known yet: then it is asked for as soon as somebody is signed in. */
  liked: boolean | null;
}

/** The likes of one post or comment, as this reader sees them. */
export function useLike(target: LikeTarget, initial: UseLikeOptions): Like {
  const client = useClient();
  const { user } = useAuth();
  const [state, setState] = useState<LikeState>({ count: initial.count, liked: initial.liked ?? false });
  const busy = useRef(false);
  const { kind, id } = target;
  const userId = user?.id;
  const unknown = initial.liked === null;

  useEffect(() => {
    if (!unknown) return;
    let current = true;
    const show = (liked: boolean) => {
      // A press that came first knows better.
      if (current && !busy.current) setState((shown) => ({ ...shown, liked }));
    };
    if (userId === undefined) show(false);
    else findLike(client, { kind, id }, userId).then((found) => show(found !== undefined), reportError);
    return () => {
      current = false;
    };
  }, [client, kind, id, userId, unknown]);

  const toggle = async (reader: string) => {
    if (busy.current) return;
    busy.current = true;
    const before = state;
    const after = { liked: !before.liked, count: Math.max(0, before.count + (before.liked ? -1 : 1)) };
    setState(after);
    try {
      const act = before.liked ? removeLike : addLike;
      await act(client, { kind, id }, reader);
      setState({
        liked: after.liked,
        count: await countLikes(client, { kind, id }).catch(() => after.count),
      });
    } catch (error) {
      setState(before);
      throw error;
    } finally {
      busy.current = false;
    }
  };

  return { ...state, toggle };
}
