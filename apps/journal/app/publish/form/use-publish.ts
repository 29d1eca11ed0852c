import { useNavigate, useRevalidator } from 'react-router';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import type { DraftState } from '../draft/use-draft.ts';
import type { Draft, Publisher } from '../publishing/publisher.ts';
import { retryTranslations } from '../publishing/retry-translations.ts';
import { whileAlone } from '../publishing/while-alone.ts';
import { noticeOutcome, noticePhase, type Retry, withdrawFailure } from './publish-notices.tsx';

export interface UsePublishOptions {
  authorId: string;
  publisher: Publisher;
  draft: DraftState;
}

/** Publishes, says how it goes, and leads to the gallery if the author is still here. */
export function usePublish({
  authorId,
  publisher,
  draft,
}: UsePublishOptions): (complete: Draft) => Promise<void> {
  const { m, language } = useLanguage();
  const client = useClient();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();

  return async (complete) => {
    withdrawFailure();
    const unsubscribe = publisher.subscribe(() => noticePhase(publisher.getPhase(), m));
    const outcome = await publisher.publish({ authorId, draft: complete, achieved: draft.store });
    unsubscribe();
    if (!outcome) return;
    const postId = outcome.kind === 'published' ? outcome.postId : '';
    const retry: Retry = async (onProgress) => {
      const retried = await retryTranslations(postId, { client, whileAlone, onProgress });
      // Whatever page is shown by then, it may show this post.
      if (retried.kind === 'retried') await revalidate();
      return retried;
    };
    noticeOutcome(outcome, { m, language }, retry);
    if (outcome.kind !== 'published') return;
    draft.discard();
    if (window.location.pathname === '/admin') await navigate('/gallery');
  };
}
