import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { useClient } from '../client/client-context.tsx';
import { useHasModel } from '../site/site.ts';
import type { Draft } from './drafts.ts';
import {
  dismissFailure,
  showCancelled,
  showPublished,
  showTranslating,
  showUnpublished,
} from './publish-notices.tsx';
import { type PreparedPost, preparePost, sendPost } from './publish-post.ts';
import { publishingOf } from './publishing.ts';
import type { DraftState } from './use-draft.ts';

/** Returns a function that publishes a draft, tells how that ends, and opens the gallery if its author is still on this page. */
export function usePublish({ change, remove }: Pick<DraftState, 'change' | 'remove'>) {
  const client = useClient();
  const hasModel = useHasModel();
  const navigate = useNavigate();
  /** What was prepared for an attempt that failed, so that the next one neither uploads nor translates again. */
  const prepared = useRef<{ of: string; image: File; post: PreparedPost }>(undefined);

  return async (draft: Draft & { image: File }) => {
    const publishing = publishingOf(client);
    const of = JSON.stringify([draft.title.trim(), draft.content.trim()]);
    let isCancelled = () => false;
    try {
      await publishing.run(async (signal) => {
        isCancelled = () => signal.aborted;
        dismissFailure();
        const known = prepared.current;
        const isKnown = known?.of === of && known.image === draft.image;
        const post = isKnown
          ? known.post
          : await preparePost(draft, {
              ...{ client, hasModel, signal },
              onPhase(phase) {
                publishing.setPhase(phase);
                if (phase.name === 'translating') showTranslating(phase.ended);
              },
            });
        prepared.current = { of, image: draft.image, post };
        await publishing.stays;
        publishing.setPhase({ name: 'publishing' });
        const onId = (postId: string) => change({ postId, wasSent: true });
        const postId = await sendPost({ ...post.row, id: draft.postId }, { client, onId });
        prepared.current = undefined;
        showPublished(postId, post);
        await remove();
        if (window.location.pathname === '/admin') await navigate('/gallery');
      });
    } catch (error) {
      if (isCancelled()) showCancelled();
      else showUnpublished(error);
    }
  };
}
