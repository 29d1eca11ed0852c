import type { Logger } from 'pino';
import type { Bus, ChangeEvent, Row } from '../../core/bus.ts';
import type { FindRow } from '../../core/project.ts';
import type { Project } from '../../database/project.ts';
import { type Broker, type ChannelKey, channelKey } from './broker/broker.ts';
import { serializeBody } from './message-body.ts';

export interface AnnounceOptions {
  broker: Broker;
  bus: Pick<Bus, 'subscribe'>;
  projects: ReadonlyMap<string, Project>;
  log: Logger;
}

/** Announcements that wait while the broker is away; the oldest are dropped first. */
const MAX_WAITING = 10_000;
const RETRY_MS = 1_000;

/**
 * Publishes the announcements that projects make of their changes, in the order of the changes. While the broker is
 * away, they wait. Returns a function that stops this, after a last attempt to publish what waits.
 */
export function announceChanges({ broker, bus, projects, log }: AnnounceOptions): () => Promise<void> {
  const waiting: { key: ChannelKey; body: string }[] = [];
  let sending: PromiseWithResolvers<void> | undefined;
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;
  /** Resolves when the announcements of all changes so far have been made; it keeps them in order. */
  let announcing = Promise.resolve();

  async function sendWaiting(): Promise<void> {
    if (sending) return sending.promise;
    sending = Promise.withResolvers();
    clearTimeout(retry);
    try {
      for (let next = waiting[0]; next; next = waiting[0]) {
        await broker.publish(next.key, next.body);
        if (waiting[0] === next) waiting.shift();
      }
    } catch {
      // The rest is sent when the broker is ready again, or by this timer if it was only slow.
      if (!stopped) retry = setTimeout(sendWaiting, RETRY_MS).unref();
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
    for (const { channel, ...message } of announcements) {
      waiting.push({ key: channelKey(definition.id, channel), body: serializeBody(message) });
    }
    const dropped = waiting.length - MAX_WAITING;
    if (dropped > 0) {
      waiting.splice(0, dropped);
      log.warn(
        { project: definition.id, dropped },
        'Announcements were dropped: the broker is away too long',
      );
    }
    if (announcements.length > 0) sendWaiting();
  }

  broker.onReady(sendWaiting);
  const unsubscribe = bus.subscribe((event) => {
    const project = projects.get(event.projectId);
    if (!project?.definition.announce) return;
    announcing = announcing
      .then(() => announce(event, project))
      .catch((error) =>
        log.error({ project: event.projectId, err: error }, 'A change could not be announced'),
      );
  });
  return async () => {
    unsubscribe();
    stopped = true;
    await announcing;
    await sendWaiting();
  };
}
