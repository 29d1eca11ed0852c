import { setImmediate as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Project } from '../../database/project.ts';
import { Poller } from '../../runtime/poller.ts';
import { DAY_MS, dayOf, startOf } from './days.ts';
import { deleteSalts, deleteSome } from './queries.ts';
import { eventPrefix, readerPrefix } from './row-keys.ts';

/** Milliseconds between two looks at most, and before the first one, when a server has enough to do. */
const LOOK_MS = 60 * 60 * 1_000;
const FIRST_LOOK_MS = 30_000;

export interface ForgetOptions {
  projects: ReadonlyMap<string, Project>;
  /** Days that single events are kept for. */
  retention: number;
  log: Logger;
  /** Epoch ms. */
  now?: () => number;
}

/** Deletes what is no longer kept, now and at the beginning of each day. */
export function createForgetting({ projects, retention, log, now = Date.now }: ForgetOptions) {
  const poller = new Poller({
    errorPauseMs: LOOK_MS,
    async poll() {
      await forget();
      const untilTomorrow = startOf(dayOf(now())) + DAY_MS - now() + 1_000;
      return Math.min(LOOK_MS, untilTomorrow);
    },
    onError: (err) => log.warn({ err }, 'Old events could not be deleted; it is tried again later'),
  });

  async function forget(): Promise<void> {
    const time = now();
    const today = dayOf(time);
    for (const { database, definition } of projects.values()) {
      try {
        await deleteSalts(database, today);
        await inSteps(() => deleteSome(database, 'analytics_readers', readerPrefix(today)));
        await inSteps(() => deleteSome(database, 'analytics_events', eventPrefix(time - retention * DAY_MS)));
      } catch (err) {
        log.warn({ err, project: definition.id }, 'Old events could not be deleted; it is tried again later');
      }
    }
  }

  /** Others write in between. */
  async function inSteps(step: () => Promise<boolean>): Promise<void> {
    while (!poller.isClosed && (await step())) await pause();
  }

  poller.schedule(FIRST_LOOK_MS);
  return {
    /** What is due at this moment. */
    forget,
    close: () => poller.close(),
  };
}
