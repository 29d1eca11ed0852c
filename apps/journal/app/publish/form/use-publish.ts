import { useNavigate, useRevalidator } from 'react-router';
import { useClient } from '../../client/client-context.tsx';
import type { DraftState } from '../draft/use-draft.ts';
import type { ServerDraft } from '../draft/use-server-draft.ts';
import { askBeforeLeaving } from '../publishing/leaving.ts';
import type { Draft, PostPublisher } from '../publishing/post-publisher.ts';
import { retryTranslations } from '../publishing/retry-translations.ts';
import { dismissFailure, type Retry, showOutcome, showPhase } from './publish-notices.tsx';

export interface UsePublishOptions {
  publisher: PostPublisher;
  draft: DraftState;
  server: Pick<ServerDraft, 'settle'>;
}

/** Returns a function that publishes, shows its progress, and opens the gallery if the author is still on this page. */
export function usePublish({
  publisher,
  draft,
  server,
}: UsePublishOptions): (complete: Draft) => Promise<void> {
  const client = useClient();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();

  return async (complete) => {
    dismissFailure();
    const unsubscribe = publisher.subscribe(() => showPhase(publisher.getPhase()));
    draft.store.setPublishing(true);
    window.addEventListener('beforeunload', askBeforeLeaving);
    await server.settle();
    const outcome = await publisher.publish({ draft: complete, checkpoint: draft.store });
    unsubscribe();
    if (!outcome) return;
    window.removeEventListener('beforeunload', askBeforeLeaving);
    const postId = outcome.kind === 'published' ? outcome.postId : '';
    const retry: Retry = async (onProgress) => {
      const retried = await retryTranslations(postId, { client, onProgress });
      // The page that is open by then may show this post.
      if (retried.kind === 'retried') await revalidate();
      return retried;
    };
    showOutcome(outcome, retry);
    if (outcome.kind !== 'published') return draft.store.setPublishing(false);
    draft.discard();
    if (window.location.pathname === '/admin') await navigate('/gallery');
  };
}
