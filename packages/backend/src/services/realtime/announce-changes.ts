import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Bus, ChangeEvent, Row } from '../../core/bus.ts';
import type { FindRow } from '../../core/project.ts';
import type { Project } from '../../database/project.ts';
import type { Meter } from '../../runtime/meter.ts';
import { backOffMs } from '../../runtime/retry.ts';
import { AnnouncementQueue } from './announcement-queue.ts';
import { AnnouncingNodes } from './announcing-nodes.ts';
import { type Broker, channelKey } from './broker/broker.ts';
import { serializeBody } from './message-body.ts';

interface AnnounceOptions {
  /** Names this process among those that share its databases. */
  nodeId: string;
  broker: Broker;
  bus: Pick<Bus, 'subscribe' | 'subscribeTables'>;
  projects: ReadonlyMap<string, Project>;
  log: Logger;
  meter?: Meter | undefined;
  /** Milliseconds between two beats of a node, and without one after which it counts as dead. */
  beatMs?: number | undefined;
  deadMs?: number | undefined;
}

/** Milliseconds after which other work gets its turn: a deleted post may have tens of thousands of comments. */
const SLICE_MS = 5;
/** Milliseconds after which announcements leave although there are further changes to announce. */
const MAX_HELD_MS = 100;
/** The pauses between attempts to find a row while the database is away. */
const BACK_OFF = { firstMs: 50, longestMs: 1_000 };

/**
 * Publishes the announcements that projects make of their changes, in the order of the changes, some at a time. What
 * cannot be announced has all clients of its project fetch anew. Returns a function that stops this, after a last attempt
 * to publish what waits.
 */
export function announceChanges({
  nodeId,
  broker,
  bus,
  projects,
  log,
  meter,
  ...times
}: AnnounceOptions): () => Promise<void> {
  const queue = new AnnouncementQueue(broker);
  meter?.addQueue('announcements', queue);
  let isStopping = false;
  const changes: { event: ChangeEvent; project: Project }[] = [];
  let announcing: Promise<void> | undefined;
  /** Projects with a commit that is there or not, whose database does not respond. */
  const uncertain = new Set<string>();

  async function announceAll(): Promise<void> {
    let [sliceBegan, heldSince] = [performance.now(), performance.now()];
    const finder = createFinder();
    for (let at = 0; at < changes.length; at += 1) {
      const change = changes[at];
      if (change) await announce(change, finder);
      const now = performance.now();
      if (now - heldSince > MAX_HELD_MS) {
        void queue.send({ floods: false });
        heldSince = now;
      }
      if (now - sliceBegan <= SLICE_MS) continue;
      changes.splice(0, at + 1);
      at = -1;
      await nextTurn();
      sliceBegan = performance.now();
    }
    changes.length = 0;
    announcing = undefined;
    void queue.send();
  }

  async function announce(
    { event, project: { definition, database } }: { event: ChangeEvent; project: Project },
    findIn: Finder,
  ): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const announcements = (await definition.announce?.(event, findIn(database))) ?? [];
        for (const { channel, ...message } of announcements) {
          queue.add(channelKey(definition.id, channel), serializeBody(message));
        }
        return;
      } catch (error) {
        if (!(error instanceof RowNotRead) || isStopping) {
          log.error({ project: event.projectId, err: error }, 'A change could not be announced');
          queue.addGap(event.projectId);
          return;
        }
        // What was found before it need not wait until the database is back.
        void queue.send({ floods: false });
        await wait(backOffMs(attempt, BACK_OFF), undefined, { ref: false });
      }
    }
  }

  /** Has clients fetch anew what may have been committed, once the database responds: before, they would get nothing. */
  async function announceGap(projectId: string, database: Project['database']): Promise<void> {
    if (uncertain.has(projectId)) return;
    uncertain.add(projectId);
    for (let attempt = 1; !isStopping && !(await responds(database)); attempt += 1)
      await wait(backOffMs(attempt, BACK_OFF), undefined, { ref: false });
    uncertain.delete(projectId);
    queue.addGap(projectId);
    await queue.send();
  }

  const nodes = broker.isShared
    ? new AnnouncingNodes({
        nodeId,
        projects: [...projects.values()].filter(({ definition }) => definition.announce),
        resync: (projectId) => broker.resync(projectId),
        log,
        ...times,
      })
    : undefined;
  const unsubscribe = bus.subscribe((event) => {
    const project = projects.get(event.projectId);
    if (!project?.definition.announce) return;
    changes.push({ event, project });
    announcing ??= announceAll();
  });
  const unsubscribeTables = bus.subscribeTables(({ projectId }) => {
    if (!projects.get(projectId)?.definition.announce) return;
    queue.addGap(projectId);
    void queue.send();
  });
  const unsubscribeUncertain = [...projects.values()]
    .filter(({ definition }) => definition.announce)
    .map(({ definition, database }) =>
      database.onUncertainCommit(() => void announceGap(definition.id, database)),
    );
  return async () => {
    isStopping = true;
    unsubscribe();
    for (const stop of unsubscribeUncertain) stop();
    unsubscribeTables();
    await announcing;
    await queue.stop();
    await nodes?.close({ isAllAnnounced: queue.waiting === 0 });
  };
}

async function responds(database: Project['database']): Promise<boolean> {
  try {
    await database.query('SELECT 1 AS one', []);
    return true;
  } catch {
    return false;
  }
}

type Finder = (database: Project['database']) => FindRow;

/**
 * Returns functions that find rows, and the same row once as long as nothing is committed: the changes of all comments of a
 * post ask for the post.
 */
function createFinder(): Finder {
  const found = new Map<string, Promise<Row | undefined>>();
  let latest: { database: Project['database']; version: number | undefined } | undefined;
  return (database) => {
    const version = database.version();
    if (version === undefined || latest?.database !== database || latest.version !== version) found.clear();
    latest = { database, version };
    return (table, id) => {
      const key = `${table}/${id}`;
      const known = found.get(key) ?? readRow(database, table, id);
      found.set(key, known);
      known.catch(() => found.delete(key));
      return known;
    };
  };
}

/** Is thrown when the database cannot be read at the moment. */
class RowNotRead extends Error {}

async function readRow({ reader }: Project['database'], table: string, id: string): Promise<Row | undefined> {
  try {
    const row = await reader.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirst();
    return row as Row | undefined;
  } catch (cause) {
    throw new RowNotRead('A row could not be read.', { cause });
  }
}
