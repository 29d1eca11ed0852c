import { backendContext } from '../../backend-context.ts';
import { messagesOf } from '../../language/load-messages.ts';
import { loadFeed } from '../feed/load-feed.ts';
import { FEED_TYPE, writeFeed } from '../feed/write-feed.ts';
import type { Route } from './+types/feed.ts';

/** Lists the newest posts with their texts for feed readers. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const backend = context.get(backendContext);
  const { language, publicUrl, storageOrigin, readSite, reportFailure } = backend;
  const [site, posts] = await Promise.all([readSite(), loadFeed(backend)]);
  const m = messagesOf(language);
  const feed = writeFeed(posts, { language, publicUrl, storageOrigin, site, m, reportFailure });
  return new Response(feed, { headers: { 'content-type': `${FEED_TYPE}; charset=utf-8` } });
}
