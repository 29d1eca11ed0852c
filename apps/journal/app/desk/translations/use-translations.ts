import type { FabricaClient } from '@fabrica/client';
import { useClient } from '../../client/client-context.tsx';
import { createTranslationsClient, type TranslationsClient } from './translations-client.ts';

const clients = new WeakMap<FabricaClient, TranslationsClient>();

/** Returns the calls about translations with the session of this page. */
export function useTranslations(): TranslationsClient {
  const client = useClient();
  const translations = clients.get(client) ?? createTranslationsClient(client);
  clients.set(client, translations);
  return translations;
}
