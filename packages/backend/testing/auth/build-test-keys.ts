import { parseConfig } from '../../src/config.ts';
import type { KeyStore } from '../../src/core/keys.ts';
import { createEngine, openKeyStore } from '../../src/database/index.ts';

/** Builds an empty store of keys in memory. */
export function buildTestKeyStore(stored = new Map<string, string>()): KeyStore {
  return {
    async readOrMake(name, make) {
      const text = stored.get(name) ?? (await make());
      stored.set(name, stored.get(name) ?? text);
      return stored.get(name) ?? text;
    },
    async replace(name, change) {
      stored.set(name, await change(stored.get(name) ?? ''));
    },
  };
}

/** Calls `act` with the keys of a server with these settings, which may be running. */
export async function withServerKeys<T>(
  settings: Readonly<Record<string, string>>,
  act: (store: KeyStore) => Promise<T>,
): Promise<T> {
  const config = parseConfig({ PROJECT_ID: 'journal', ...settings });
  const engine = createEngine(config);
  const database = await engine.open({ id: config.projectId, schema: new Map() });
  try {
    return await act(await openKeyStore({ database }, config));
  } finally {
    await database.close();
    await engine.close();
  }
}

/** Returns a key of a running server by its name. */
export function readServerKey(settings: Readonly<Record<string, string>>, name: string): Promise<string> {
  return withServerKeys(settings, (store) =>
    store.readOrMake(name, () => Promise.reject(new Error(`There is no key "${name}".`))),
  );
}
