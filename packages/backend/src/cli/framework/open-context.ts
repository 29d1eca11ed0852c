import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type DataLock, guardOf } from '../../backup/index.ts';
import { type Keys, loadKeys } from '../../core/keys.ts';
import type { ProjectDefinition } from '../../core/project.ts';
import { createEngine } from '../../database/index.ts';
import type { Project } from '../../database/project.ts';
import { openProject } from '../../database/project.ts';
import { migrationsOf } from '../../project-database.ts';
import { createOperatorFetch } from '../../services/rest/index.ts';
import type { CommandContext } from './command.ts';
import { CommandError, usageError } from './command-error.ts';

export interface ContextOptions
  extends Pick<CommandContext, 'terminal' | 'config' | 'pages' | 'environment'> {
  projects: readonly ProjectDefinition[];
  /** The id of `--project`. */
  projectId: string | undefined;
  needsData: boolean;
  openEngine?: typeof createEngine | undefined;
}

export interface OpenContext extends CommandContext {
  /** Closes what was opened. */
  close(): Promise<void>;
}

/**
 * Opens the context of a command. Throws, and creates nothing, when there is no such project or no data
 * folder.
 */
export function openContext({
  projects: definitions,
  projectId: chosen,
  needsData,
  openEngine = createEngine,
  ...given
}: ContextOptions): OpenContext {
  const { config } = given;
  const definition = requireDefinition(definitions, chosen ?? config.projectId);
  if (needsData) requireFolder(config.dataDir);
  let keys: Promise<Keys> | undefined;
  let project: Promise<Project> | undefined;
  let lock: DataLock | undefined;
  const readKeys = () => {
    keys ??= loadKeys(join(config.dataDir, 'keys'));
    return keys;
  };
  const engine = openEngine(config);
  const secretKey = definition.id === config.projectId ? config.secretKey : undefined;
  const open = async () => {
    lock = await guardOf(config).lockShared();
    return openProject({ definition, engine, keys: await readKeys(), migrationsOf, secretKey });
  };
  const openOnce = () => {
    project ??= open();
    return project;
  };
  return {
    ...given,
    definitions,
    definition,
    chosen,
    keys: readKeys,
    project: openOnce,
    fetchRows: async (path, init) => createOperatorFetch(await openOnce())(path, init),
    async close() {
      // A failure to open was reported by the command.
      const opened = await project?.catch(() => undefined);
      await opened?.database.close();
      await engine.close();
      await lock?.release();
    },
  };
}

function requireDefinition(projects: readonly ProjectDefinition[], id: string): ProjectDefinition {
  const definition = projects.find((one) => one.id === id);
  if (definition) return definition;
  const known = projects.map((one) => one.id).join(', ');
  throw usageError(`There is no project "${id}" here; there is: ${known}.`);
}

function requireFolder(dataDir: string): void {
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new CommandError(
    `There is no data folder ${dataDir}: start Fabrica once, or name its folder in DATA_DIR.`,
  );
}
