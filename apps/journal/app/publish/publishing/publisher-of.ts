import type { FabricaClient } from '@fabrica/client';
import { createPublisher, type Publisher } from './publisher.ts';
import { whileAlone } from './while-alone.ts';

const publishers = new WeakMap<FabricaClient, Publisher>();

/**
 * The one publisher of a client: a publish goes on while its author looks at another page, and the
 * form that is opened meanwhile shows it rather than starting a second one. The origins are those that are ours.
 */
export function publisherOf(client: FabricaClient, origins: readonly string[]): Publisher {
  const known = publishers.get(client);
  if (known) return known;
  const publisher = createPublisher({ client, origins: [window.location.origin, ...origins], whileAlone });
  publishers.set(client, publisher);
  return publisher;
}
