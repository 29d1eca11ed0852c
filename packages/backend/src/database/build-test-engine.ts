import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from './engine.ts';
import { createSqliteEngine } from './sqlite/sqlite-engine.ts';

/** An engine with nothing in it, which takes all of it along when it is closed. */
export interface TestEngine extends Engine {
  /** What a process of its own needs, to work on the same databases. */
  settings: Readonly<Record<string, string>>;
  /** The same databases as another process opens them; to be closed by whoever asks for it. */
  another(): Engine;
}

export async function openTestEngine(): Promise<TestEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'fabrica-database-'));
  const engine = createSqliteEngine(folder);
  return {
    ...engine,
    settings: { DATA_DIR: folder },
    another: () => createSqliteEngine(folder),
    async close() {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
