import { statSync } from 'node:fs';
import { type DataLock, guardOf, type ProvingServer } from '../../backup/index.ts';
import type { Config } from '../../config.ts';
import { type KeyStore, type Keys, loadKeys } from '../../core/keys.ts';
import type { ProjectDefinition } from '../../core/project.ts';
import type { Environment } from '../../core/settings.ts';
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
import { type AuthPages, removalStatement } from '../../services/auth/index.ts';
import { createOperatorFetch } from '../../services/rest/index.ts';
import { CommandError, usageError } from './command-error.ts';
import type { Terminal } from './terminal.ts';

type FetchRows = (path: string, init?: RequestInit) => Promise<Response>;

/** What the product's settings say. */
export interface Configured {
  config: Config;
  /** The product's pages that links point to. */
  pages: AuthPages;
  /** The names of the product's own settings. */
  ownSettings?: readonly string[];
  /** All projects of this installation. */
  projects: readonly ProjectDefinition[];
  /** The server that proves a backup. */
  server: ProvingServer;
  /** Returns what writes mails; `fetchRows` reads the rows of the project of PROJECT_ID. */
  openMails(fetchRows: FetchRows): RenderMail;
}

interface ContextOptions extends Omit<Configured, 'ownSettings'> {
  terminal: Terminal;
  /** Whether `--json` was given. */
  json: boolean;
  /** The process's environment, for finding a desktop. Settings are in `config`. */
  environment: Environment;
  /** The names of all settings, those of the product among them. */
  settingNames: readonly string[];
  /** The id of `--project`. */
  projectId: string | undefined;
  needsData: boolean;
  openEngine?: typeof createEngine | undefined;
}

/** Everything that commands work with. The project and the keys are opened when they are first used. */
export interface CommandContext
  extends Omit<ContextOptions, 'projects' | 'openMails' | 'projectId' | 'needsData' | 'openEngine'> {
  /** All projects of this installation. */
  definitions: readonly ProjectDefinition[];
  /** The project of `--project`, by default the one of PROJECT_ID. */
  definition: ProjectDefinition;
  /** The id of `--project`; `undefined` when it was not given, which some commands take as all projects. */
  chosen: string | undefined;
  /** Prints a value as JSON with `--json`, and else the text. */
  show(value: unknown, text: string): void;
  /** Opens the project and migrates its database. */
  project(): Promise<Project>;
  /** Opens the keys of all projects, as they are kept. */
  keyStore(): Promise<KeyStore>;
  keys(): Promise<Keys>;
  /** Sends a request to the project's tables as its secret key may: `/rest/v1/posts`. Throws what a client would be told. */
  fetchRows: FetchRows;
  /** Writes mails in the product's words. */
  renderMail: RenderMail;
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
}: ContextOptions): CommandContext & { close(): Promise<void> } {
  const { config, terminal, json } = given;
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
    show: (value, text) => terminal.print(json ? JSON.stringify(value, null, 2) : text),
    keyStore: () => keyStore.get(),
    keys: () => keys.get(),
    project: () => project.get(),
    fetchRows: fetchRowsOf(() => project.get()),
    renderMail: openMails(fetchRowsOf(() => openWhole(requireDefinition(definitions, config.projectId)))),
    /** Closes what was opened. */
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
