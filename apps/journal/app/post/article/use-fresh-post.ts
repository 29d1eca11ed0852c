import { useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { loadPost, type PostPage } from '../load-post.ts';

export interface FreshPost {
  post: PostPage;
  /** Shows it as it is now, if it is still there; rejects when it could not be fetched. */
  reload(): Promise<void>;
}

/**
 * The post that came with the address, until it is fetched anew. Not by the router: it would put the page for failures
 * in the place of one that is being read, or the one for missing posts.
 */
export function useFreshPost(loaded: PostPage): FreshPost {
  const client = useClient();
  const { language } = useLanguage();
  const [fresh, setFresh] = useState({ since: loaded, post: loaded });
  const reload = async () => {
    const reportFailure = (error: unknown) => {
      throw error;
    };
    const post = await loadPost(loaded.id, { client, language, reportFailure });
    if (post) setFresh({ since: loaded, post });
  };
  // Another address or another language brings a post of its own.
  return { post: fresh.since === loaded ? fresh.post : loaded, reload };
}
