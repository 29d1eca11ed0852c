import type { ProjectDefinition } from '../../core/project.ts';
import type { TableSum } from './canonical-row.ts';
import type { Snapshot } from './snapshot.ts';
import type { TransferOptions } from './transfer-rows.ts';

/** A database that is ready in full, where nobody finds it yet. */
export interface Staged {
  /** Of what is ready, as it was read there. */
  sums: TableSum[];
  /**
   * Puts it in its place, at once. What is there already is kept under another name with `aside` behind it, and that
   * name is answered.
   */
  commit(aside?: string): Promise<string | undefined>;
  /** Forgets about it. No error when it is in its place already. */
  discard(): Promise<void>;
}

/** Where projects have their databases: a folder of files, or a PostgreSQL database. */
export interface DatabaseLocation {
  readonly engine: 'sqlite' | 'postgres';
  /** Whether a file of SQLite holds all that is there, what no migration made among it, and can be put there as it is. */
  readonly carriesEverything: boolean;
  /** In a sentence: "the folder …". */
  readonly name: string;
  /** Whether a project has anything there; nothing is made by asking. */
  has(projectId: string): Promise<boolean>;
  /** What is there, as it is at this moment. */
  snapshot(projectId: string): Promise<Snapshot>;
  /** Writes a project's database as it is at this moment into a new file of SQLite. */
  save(project: ProjectDefinition, path: string, options: TransferOptions): Promise<void>;
  /** Makes a project's database of one that comes from elsewhere. */
  stage(project: ProjectDefinition, from: Snapshot, options: TransferOptions): Promise<Staged>;
  /** Makes a project's database of a file that `save` wrote. */
  stageFile(project: ProjectDefinition, path: string, options: TransferOptions): Promise<Staged>;
  close(): Promise<void>;
}
