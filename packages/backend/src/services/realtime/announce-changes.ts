import type { Logger } from 'pino';
import type { Bus, ChangeEvent, Row } from '../../core/bus.ts';
import type { FindRow } from '../../core/project.ts';
import type { Project } from '../../database/project.ts';
import type { Broker, Place } from './broker/broker.ts';
import { bodyOf } from './message-body.ts';

export interface AnnounceOptions {
  broker: Broker;
  bus: Pick<Bus, 'subscribe'>;
  projects: ReadonlyMap<string, Project>;
  log: Logger;
}

/** Announcements that wait for a broker that is away; the oldest go first. */
const MAX_WAITING = 10_000;
const RETRY_MS = 1_000;

/**
 * Says in the channels what projects want said of their changes, in the order of the changes. While the broker is away
 * it waits; answers the function that ends it, once what was changed until then has been said as far as it could be.
 */
export function announceChanges({ broker, bus, projects, log }: AnnounceOptions): () => Promise<void> {
  const waiting: { place: Place; body: string }[] = [];
  let sending: PromiseWithResolvers<void> | undefined;
  let ended = false;
  let retry: NodeJS.Timeout | undefined;
  /** Announcements are made one after the other, whatever they ask of the database. */
  let turn = Promise.resolve();

  async function sendWaiting(): Promise<void> {
    if (sending) return sending.promise;
    sending = Promise.withResolvers();
    clearTimeout(retry);
    try {
      for (let next = waiting[0]; next; next = waiting[0]) {
        await broker.publish(next.place, next.body);
        if (waiting[0] === next) waiting.shift();
      }
    } catch {
      // What is left waits until the broker is ready again, or was only slow.
      if (!ended) retry = setTimeout(sendWaiting, RETRY_MS).unref();
    } finally {
      sending.resolve();
      sending = undefined;
    }
  }

  async function announce(event: ChangeEvent, { definition, database }: Project): Promise<void> {
    const find: FindRow = async (table, id) => {
      const row = await database.reader.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirst();
      return row as Row | undefined;
    };
    const announcements = (await definition.announce?.(event, find)) ?? [];
    for (const { channel, ...said } of announcements) {
      waiting.push({ place: `${definition.id}:${channel}`, body: bodyOf(said) });
    }
    const excess = waiting.length - MAX_WAITING;
    if (excess > 0) {
      waiting.splice(0, excess);
      log.warn(
        { project: definition.id, excess },
        'Announcements were given up: the broker is away for too long',
      );
    }
    if (announcements.length > 0) sendWaiting();
  }

  broker.onReady(sendWaiting);
  const unsubscribe = bus.subscribe((event) => {
    const project = projects.get(event.projectId);
    if (!project?.definition.announce) return;
    turn = turn
      .then(() => announce(event, project))
      .catch((error) =>
        log.error({ project: event.projectId, err: error }, 'A change could not be announced'),
      );
  });
  return async () => {
    unsubscribe();
    ended = true;
    await turn;
    await sendWaiting();
  };
}
