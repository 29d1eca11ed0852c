import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** What keeps the databases of all projects: files in a folder, or a server. */
export interface Engine {
  /** Opens a project's own database, which is made at the first time. */
  open(project: { id: string; schema: Schema }): Promise<Database>;
  /** Once every database is closed. */
  close(): Promise<void>;
}
