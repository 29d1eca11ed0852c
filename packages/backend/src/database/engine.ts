import type { Database } from './port.ts';
import type { Schema } from './schema.ts';

/** What keeps the databases of all projects: files in a folder, or a server. */
export interface Engine {
  /** Opens a project's own database, which is made at the first time. */
  open(project: { id: string; schema: Schema }): Promise<Database>;
  /** Whether a project has a database already; none is made by asking. */
  has(projectId: string): Promise<boolean>;
  /** Once every database is closed. */
  close(): Promise<void>;
}
