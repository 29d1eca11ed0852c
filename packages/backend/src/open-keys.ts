import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { KEYS_READ_MS, type Keys, loadKeys } from './core/keys.ts';
import { type OpenedProject, openKeyStore, type Project } from './database/index.ts';

/** Reads the keys in the main project's database, and completes the projects with theirs. */
export async function openKeys(
  opened: ReadonlyMap<string, OpenedProject>,
  { config, log }: { config: Config; log: Logger },
): Promise<{ keys: Keys; projects: Map<string, Project> }> {
  const store = await openKeyStore(requireMain(opened, config), config);
  const keys = await loadKeys(store);
  const projects = new Map<string, Project>();
  for (const [id, project] of opened) {
    const given = id === config.projectId ? config.secretKey : undefined;
    projects.set(id, { ...project, secretKey: given ?? (await keys.projectSecret(id)) });
  }
  const folder = await store.setFilesAside();
  if (folder !== undefined) {
    log.warn(
      { folder },
      'The keys are in the database from now on: these files can go after the next backup',
    );
  }
  return { keys, projects };
}

/** Reads the keys again from time to time: background work uses them too, and another process may rotate them. Returns what ends it. */
export function keepReading({ refreshKeys }: Keys): () => void {
  // The known keys stay in use while the database cannot be reached.
  const timer = setInterval(() => void refreshKeys.reload().catch(() => undefined), KEYS_READ_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function requireMain(opened: ReadonlyMap<string, OpenedProject>, { projectId }: Config): OpenedProject {
  const main = opened.get(projectId);
  if (!main) throw new Error(`The project "${projectId}" of PROJECT_ID is not defined.`);
  return main;
}
