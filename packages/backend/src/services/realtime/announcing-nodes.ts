import type { Kysely, Transaction } from 'kysely';
import type { Logger } from 'pino';
import type { Migration } from '../../core/project.ts';
import type { Project } from '../../database/project.ts';
import { Poller } from '../../runtime/poller.ts';
import { DEAD_MS, rightTime } from './clocks-elsewhere.ts';

const TABLE = 'announcing_nodes';

interface NodeTables {
  [TABLE]: {
    /** Names a process. */
    id: string;
    /** Grows as long as the process lives. */
    beat: number;
    /** The time of the database at which the node has last found its clock right; `null` while it is off. */
    right_at: number | null;
  };
}

/** The table of the processes that announce changes, which no project may define or open. */
export const realtimeTables: readonly string[] = [TABLE];

export const realtimeMigrations: Record<string, Migration> = {
  '0016-announcing-nodes': {
    async up({ schema }) {
      await schema
        .createTable(TABLE)
        .addColumn('id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('beat', 'bigint', (column) => column.notNull())
        .execute();
    },
    async down({ schema }) {
      await schema.dropTable(TABLE).execute();
    },
  },
  '0024-clocks-of-nodes': {
    compatibleWith: 'any',
    async up({ schema }) {
      await schema.alterTable(TABLE).addColumn('right_at', 'bigint').execute();
    },
    async down({ schema }) {
      await schema.alterTable(TABLE).dropColumn('right_at').execute();
    },
  },
};

const BEAT_MS = 3_000;

interface AnnouncingNodesOptions {
  /** Names this process. */
  nodeId: string;
  projects: readonly Project[];
  /** Has all clients of a project fetch anew. Throws when they cannot be notified now. */
  resync(projectId: string): Promise<void>;
  log: Logger;
  beatMs?: number | undefined;
  deadMs?: number | undefined;
}

/**
 * Keeps a row in the database of each project while this process may have changes that are not announced yet. The row of a
 * process that was killed, or that ended while the broker was away, stays: another one then has all clients fetch anew.
 */
export class AnnouncingNodes {
  readonly #options: AnnouncingNodesOptions;
  readonly #poller: Poller;
  /** The last beat of each other process, and when this one first saw it. */
  readonly #seen = new Map<string, { beat: number; at: number }>();
  #beat = 0;

  constructor(options: AnnouncingNodesOptions) {
    this.#options = options;
    const { beatMs = BEAT_MS, log } = options;
    this.#poller = new Poller({
      poll: async () => {
        await this.#poll();
        return beatMs;
      },
      errorPauseMs: beatMs,
      onError: (error) => log.warn({ err: error }, 'Other nodes could not be looked after'),
    });
    this.#poller.wake();
  }

  /** Removes the rows of this process, unless some of its changes were not announced. */
  async close({ isAllAnnounced }: { isAllAnnounced: boolean }): Promise<void> {
    await this.#poller.close();
    if (!isAllAnnounced) return;
    for (const project of this.#options.projects) {
      await quietly(project, (transaction) => deleteRow(transaction, this.#options.nodeId)).catch(
        () => undefined,
      );
    }
  }

  async #poll(): Promise<void> {
    const { nodeId, projects } = this.#options;
    this.#beat += 1;
    for (const project of projects) {
      const row = { id: nodeId, beat: this.#beat, right_at: await rightTime(project.database) };
      await quietly(project, (transaction) => writeBeat(transaction, row));
      for (const { id, beat } of await listRows(project)) {
        if (id !== nodeId && this.#isDead(project, id, beat)) await this.#replace(project, { id, beat });
      }
    }
  }

  #isDead({ definition }: Project, id: string, beat: number): boolean {
    const key = `${definition.id}/${id}`;
    const now = performance.now();
    const seen = this.#seen.get(key);
    if (seen?.beat === beat) return now - seen.at > (this.#options.deadMs ?? DEAD_MS);
    this.#seen.set(key, { beat, at: now });
    return false;
  }

  /** The row is removed once the clients were notified: when this process ends in between, another one notifies them. */
  async #replace(
    project: Project,
    { id, beat }: Pick<NodeTables[typeof TABLE], 'id' | 'beat'>,
  ): Promise<void> {
    const projectId = project.definition.id;
    const isMine = await quietly(project, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable(TABLE)
        .set({ beat: beat + 1 })
        .where('id', '=', id)
        .where('beat', '=', beat)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    });
    this.#seen.delete(`${projectId}/${id}`);
    if (!isMine) return;
    await this.#options.resync(projectId);
    await quietly(project, (transaction) => deleteRow(transaction, id));
    this.#options.log.warn({ project: projectId }, 'A node has ended without a word: clients fetch anew');
  }
}

async function writeBeat(
  transaction: Transaction<NodeTables>,
  { id, ...beat }: NodeTables[typeof TABLE],
): Promise<void> {
  await transaction
    .insertInto(TABLE)
    .values({ id, ...beat })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(beat))
    .execute();
}

async function deleteRow(transaction: Transaction<NodeTables>, id: string): Promise<void> {
  await transaction.deleteFrom(TABLE).where('id', '=', id).execute();
}

function listRows({ database }: Project): Promise<NodeTables[typeof TABLE][]> {
  return (database.reader as Kysely<NodeTables>).selectFrom(TABLE).selectAll().execute();
}

/** No cache depends on these rows. */
function quietly<T>(
  { database }: Project,
  act: (transaction: Transaction<NodeTables>) => Promise<T>,
): Promise<T> {
  return database.quietly((transaction) => act(transaction as Transaction<NodeTables>));
}
