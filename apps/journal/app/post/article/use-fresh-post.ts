import { useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { loadPost, type PostPage } from '../load-post.ts';

interface FreshPost {
  post: PostPage;
  /** Fetches and shows the post's current state, if it still exists. Rejects when the request fails. */
  reload(): Promise<void>;
}

/**
 * Returns the post that the loader loaded, until `reload` fetches it again. The router's own revalidation is not used:
 * it would replace a page that is being read with the page for errors or missing posts.
 */
export function useFreshPost(loaded: PostPage): FreshPost {
  const client = useClient();
  const { language } = useLanguage();
  const [fresh, setFresh] = useState({ loaded, post: loaded });
  const reload = async () => {
    const reportFailure = (error: unknown) => {
      throw error;
    };
    const { parseHere } = await import('../../../project/markdown/parse-tree.ts');
    // What the server has shown as plain text is too complex for the browser, too.
    const parseMarkdown = async (text: string) =>
      loaded.isPlain && text === loaded.content ? null : parseHere(text);
    const post = await loadPost(loaded.id, { client, language, parseMarkdown, reportFailure });
    if (post) setFresh({ loaded, post });
  };
  // Another URL or another language loads a post of its own.
  return { post: fresh.loaded === loaded ? fresh.post : loaded, reload };
}
