import type { Config } from '../../config.ts';
import type { Keys } from '../../core/keys.ts';
import type { ProjectDefinition } from '../../core/project.ts';
import type { Project } from '../../database/project.ts';
import type { AuthPages } from '../../services/auth/index.ts';
import type { Terminal } from './terminal.ts';

/** A switch, or with a `value` an option that takes one; `value` is what stands for it in the help. */
export interface OptionDefinition {
  value?: string;
  description: string;
}

export type OptionDefinitions = Readonly<Record<string, OptionDefinition>>;

export type OptionValues<Options extends OptionDefinitions> = {
  [Name in keyof Options]?: Options[Name] extends { value: string } ? string : boolean;
};

/** What every command works with; a project and keys are opened when they are first asked for. */
export interface CommandContext {
  terminal: Terminal;
  config: Config;
  /** The product's pages that links lead to. */
  pages: AuthPages;
  /** The process's, for what is the desktop's to say; settings are in `config`. */
  environment: Readonly<Record<string, string | undefined>>;
  /** All projects that there are here. */
  definitions: readonly ProjectDefinition[];
  /** The one that is meant: of `--project`, else of PROJECT_ID. */
  definition: ProjectDefinition;
  /** Its id, if `--project` named it; undefined: a command may take all of them. */
  chosen: string | undefined;
  /** The one that is meant, its database brought up to date. */
  project(): Promise<Project>;
  keys(): Promise<Keys>;
}

export interface Call<Options extends OptionDefinitions = OptionDefinitions> extends CommandContext {
  /** As many as the command names. */
  arguments: readonly string[];
  options: OptionValues<Options>;
  /** `--json`: for machines rather than for eyes. */
  json: boolean;
}

export interface Command<Options extends OptionDefinitions = OptionDefinitions> {
  /** The words that it is called by: `user list`. */
  name: string;
  /** Another way to say it. */
  alias?: string;
  /** What must stand behind the name, in the help's words: `<email>`. */
  arguments: readonly string[];
  options: Options;
  /** Whether it does its work where there is no data folder yet. */
  needsNoData?: boolean;
  /** One line. */
  summary: string;
  /** More of it, for the command's own help. */
  details?: string;
  run(call: Call<Options>): Promise<void>;
}

/** Gives `run` the types of the command's own options. */
export function defineCommand<const Options extends OptionDefinitions>(command: Command<Options>): Command {
  return command as unknown as Command;
}
