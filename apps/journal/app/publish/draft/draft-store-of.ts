import type { FabricaClient } from '@fabrica/client';
import { createDraftStore, type DraftStore } from './draft-store.ts';

const stores = new WeakMap<FabricaClient, Map<string, DraftStore>>();

/** The one draft of an author: what a publish achieves is seen by the form that is opened meanwhile. */
export function draftStoreOf(client: FabricaClient, authorId: string): DraftStore {
  const known = stores.get(client) ?? new Map<string, DraftStore>();
  stores.set(client, known);
  const store = known.get(authorId) ?? createDraftStore(authorId);
  known.set(authorId, store);
  return store;
}
