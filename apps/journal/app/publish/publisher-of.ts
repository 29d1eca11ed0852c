import type { FabricaClient } from '@fabrica/client';
import { createPublisher, type Publisher } from './publish-post.ts';

const publishers = new WeakMap<FabricaClient, Publisher>();

/**
 * The one publisher of a client: a publish goes on while its author looks at another page, and the
 * form that is opened meanwhile shows it rather than starting a second one.
 */
export function publisherOf(client: FabricaClient, publicUrl: string): Publisher {
  const known = publishers.get(client);
  if (known) return known;
  const origins = [window.location.origin, new URL(publicUrl).origin];
  const publisher = createPublisher({ client, origins });
  publishers.set(client, publisher);
  return publisher;
}
