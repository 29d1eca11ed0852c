import { statSync } from 'node:fs';
import { type DataLock, guardOf } from '../../backup/index.ts';
import { type KeyStore, type Keys, loadKeys } from '../../core/keys.ts';
import type { ProjectDefinition } from '../../core/project.ts';
import {
  createEngine,
  type OpenedProject,
  openKeyStore,
  openProject,
  type Project,
} from '../../database/index.ts';
import type { RenderMail } from '../../mail/index.ts';
import { migrationsOf } from '../../project-database.ts';
import { Lazy } from '../../runtime/lazy.ts';
import { removalStatement } from '../../services/auth/index.ts';
import { createOperatorFetch } from '../../services/rest/index.ts';
import type { CommandContext, FetchRows } from './command.ts';
import { CommandError, usageError } from './command-error.ts';

export interface ContextOptions
  extends Pick<CommandContext, 'terminal' | 'config' | 'pages' | 'server' | 'environment' | 'settingNames'> {
  projects: readonly ProjectDefinition[];
  /** Returns what writes mails; `fetchRows` reads the rows of the project of PROJECT_ID. */
  openMails(fetchRows: FetchRows): RenderMail;
  /** The id of `--project`. */
  projectId: string | undefined;
  needsData: boolean;
  openEngine?: typeof createEngine | undefined;
}

interface OpenContext extends CommandContext {
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
  openMails,
  ...given
}: ContextOptions): OpenContext {
  const { config } = given;
  const definition = requireDefinition(definitions, chosen ?? config.projectId);
  if (needsData) requireFolder(config.dataDir);
  const engine = openEngine(config);
  const lock = new Lazy<DataLock>(() => guardOf(config).lockShared());
  const opened = new Map<string, Lazy<OpenedProject>>();
  const openDatabase = (one: ProjectDefinition): Promise<OpenedProject> => {
    const open = async () => {
      await lock.get();
      return openProject({ definition: one, engine, migrationsOf });
    };
    const found = opened.get(one.id) ?? new Lazy(open);
    opened.set(one.id, found);
    return found.get();
  };
  const keyStore = new Lazy<KeyStore>(async () => {
    const main = requireDefinition(definitions, config.projectId);
    return openKeyStore(await openDatabase(main), config);
  });
  const keys = new Lazy<Keys>(async () => loadKeys(await keyStore.get()));
  const openWhole = async (one: ProjectDefinition): Promise<Project> => {
    const found = await openDatabase(one);
    const secretKey = one.id === config.projectId ? config.secretKey : undefined;
    return { ...found, secretKey: secretKey ?? (await (await keys.get()).projectSecret(one.id)) };
  };
  const project = new Lazy<Project>(() => openWhole(definition));
  const fetchRowsOf =
    (open: () => Promise<Project>): FetchRows =>
    async (path, init) =>
      createOperatorFetch(await open(), removalStatement)(path, init);
  return {
    ...given,
    definitions,
    definition,
    chosen,
    keyStore: () => keyStore.get(),
    keys: () => keys.get(),
    project: () => project.get(),
    fetchRows: fetchRowsOf(() => project.get()),
    renderMail: openMails(fetchRowsOf(() => openWhole(requireDefinition(definitions, config.projectId)))),
    async close() {
      // A failure to open was reported by the command.
      for (const one of opened.values()) await (await one.ifLoaded())?.database.close();
      await engine.close();
      await (await lock.ifLoaded())?.release();
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
