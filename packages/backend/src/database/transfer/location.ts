import type { ProjectDefinition } from '../../core/project.ts';
import type { TableSum } from './canonical-row.ts';
import type { Snapshot } from './snapshot.ts';
import type { TransferOptions } from './transfer-rows.ts';

/** A complete database that is not in use yet. */
export interface Staged {
  /** The checksums of its tables. */
  sums: TableSum[];
  /**
   * Puts it into use, atomically. An existing database is renamed, with the suffix `aside`, and its new name is
   * returned.
   */
  commit(aside?: string): Promise<string | undefined>;
  /** Removes it. Does nothing when it is in use already. */
  discard(): Promise<void>;
}

/** The location of the databases of projects: a folder of files, or a PostgreSQL database. */
export interface DatabaseLocation {
  readonly engine: 'sqlite' | 'postgres';
  /** Whether `save` writes everything, including what no migration creates, and `stageFile` uses the file as it is. */
  readonly carriesEverything: boolean;
  /** A name for use in a sentence: "the folder …". */
  readonly name: string;
  /** Tells whether the project has a database here, without creating it. */
  has(projectId: string): Promise<boolean>;
  /** Opens a snapshot of the project's database. */
  snapshot(projectId: string): Promise<Snapshot>;
  /** Writes a snapshot of the project's database into a new file of SQLite. */
  save(project: ProjectDefinition, path: string, options: TransferOptions): Promise<void>;
  /** Creates a database of the project from a file that `save` wrote. */
  stageFile(project: ProjectDefinition, path: string, options: TransferOptions): Promise<Staged>;
  close(): Promise<void>;
}
