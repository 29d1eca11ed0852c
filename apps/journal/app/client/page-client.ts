import { createClient, type FabricaClient } from '@fabrica/client';
import { roles } from '../../project/roles.ts';

let client: FabricaClient | undefined;

/** Returns the client of this page, in a browser. Its first use makes it: a route may ask for its data before React starts. */
export function pageClient(): FabricaClient {
  const { dataset } = document.documentElement;
  client ??= createClient({
    projectId: dataset.project ?? '',
    origin: window.location.origin,
    allowedParentOrigins: dataset.parentOrigins?.split(' '),
    roles,
    language: () => document.documentElement.lang,
  });
  return client;
}
