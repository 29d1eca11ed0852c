import { setImmediate as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Project } from '../../database/project.ts';
import type { Meter } from '../../runtime/meter.ts';
import { Poller } from '../../runtime/poller.ts';
import { DAY_MS, dayOf, startOfDay } from './days.ts';
import { deleteSalts, deleteSome } from './queries.ts';
import { eventIdPrefix, readerIdPrefix } from './row-ids.ts';

/** Longest pause between two deletions, in milliseconds. */
const POLL_MS = 60 * 60 * 1_000;
/** Milliseconds before the first deletion, because a server is busy when it starts. */
const FIRST_POLL_MS = 30_000;

interface ExpiryOptions {
  projects: ReadonlyMap<string, Project>;
  /** Days that single events are stored. */
  retention: number;
  log: Logger;
  meter?: Meter | undefined;
  /** Epoch ms. */
  now?: () => number;
}

/** Deletes old events, readers and salts, soon after the start and at the beginning of each day. */
export function createExpiry({ projects, retention, log, meter, now = Date.now }: ExpiryOptions) {
  const poller = new Poller({
    name: 'analytics-expiry',
    meter,
    errorPauseMs: POLL_MS,
    async poll() {
      await deleteExpired();
      const untilTomorrow = startOfDay(dayOf(now())) + DAY_MS - now() + 1_000;
      return Math.min(POLL_MS, untilTomorrow);
    },
    onError: (err) => log.warn({ err }, 'Old events could not be deleted; it is tried again later'),
  });

  async function deleteExpired(): Promise<void> {
    const time = now();
    const today = dayOf(time);
    const firstRetained = eventIdPrefix(time - retention * DAY_MS);
    for (const { database, definition } of projects.values()) {
      try {
        await deleteSalts(database, today);
        await inSteps(() => deleteSome(database, 'analytics_readers', readerIdPrefix(today)));
        await inSteps(() => deleteSome(database, 'analytics_events', firstRetained));
      } catch (err) {
        log.warn({ err, project: definition.id }, 'Old events could not be deleted; it is tried again later');
      }
    }
  }

  /** Pauses after each step, so that other writes are not held up. */
  async function inSteps(step: () => Promise<boolean>): Promise<void> {
    while (!poller.isClosed && (await step())) await pause();
  }

  poller.schedule(FIRST_POLL_MS);
  return {
    deleteExpired,
    close: () => poller.close(),
  };
}
