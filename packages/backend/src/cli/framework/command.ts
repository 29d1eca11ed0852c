import type { ProvingServer } from '../../backup/index.ts';
import type { Config } from '../../config.ts';
import type { KeyStore, Keys } from '../../core/keys.ts';
import type { ProjectDefinition } from '../../core/project.ts';
import type { Project } from '../../database/project.ts';
import type { RenderMail } from '../../mail/index.ts';
import type { AuthPages } from '../../services/auth/index.ts';
import type { Terminal } from './terminal.ts';

/** A flag, or with a `value` an option that takes one. `value` stands for it in the help: `<number>`. */
interface OptionDefinition {
  value?: string;
  description: string;
}

export type OptionDefinitions = Readonly<Record<string, OptionDefinition>>;

export type OptionValues<Options extends OptionDefinitions> = {
  [Name in keyof Options]?: Options[Name] extends { value: string } ? string : boolean;
};

/** Everything that commands work with. The project and the keys are opened when they are first used. */
export interface CommandContext {
  terminal: Terminal;
  config: Config;
  /** The product's pages that links point to. */
  pages: AuthPages;
  /** The server that proves a backup. */
  server: ProvingServer;
  /** The process's environment, for finding a desktop. Settings are in `config`. */
  environment: Readonly<Record<string, string | undefined>>;
  /** The names of all settings, those of the product among them. */
  settingNames: readonly string[];
  /** All projects of this installation. */
  definitions: readonly ProjectDefinition[];
  /** The project of `--project`, by default the one of PROJECT_ID. */
  definition: ProjectDefinition;
  /** The id of `--project`; `undefined` when it was not given, which some commands take as all projects. */
  chosen: string | undefined;
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

export type FetchRows = (path: string, init?: RequestInit) => Promise<Response>;

export interface Call<Options extends OptionDefinitions = OptionDefinitions> extends CommandContext {
  /** One value for each argument of the command. */
  arguments: readonly string[];
  options: OptionValues<Options>;
  /** Whether `--json` was given. */
  json: boolean;
}

export interface Command<Options extends OptionDefinitions = OptionDefinitions> {
  /** The one or two words that call the command: `user list`. */
  name: string;
  /** Whether the first word of the name alone calls this command as well. */
  isDefault?: boolean;
  /** The required arguments as the help shows them: `<email>`. */
  arguments: readonly string[];
  options: Options;
  /** Whether the command works without a data folder. */
  needsNoData?: boolean;
  /** One line. */
  summary: string;
  /** Further lines for the command's own help. */
  details?: string;
  run(call: Call<Options>): Promise<void>;
}

/** Defines a command, and types `run` by the command's own options. */
export function defineCommand<const Options extends OptionDefinitions>(command: Command<Options>): Command {
  return command as unknown as Command;
}
