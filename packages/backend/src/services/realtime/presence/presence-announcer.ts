import type { PresentUser } from '@fabrica/contract';
import type { Broker, ChannelKey } from '../broker/broker.ts';
import { presentUsers } from './present-users.ts';

export interface PresenceAnnouncer {
  /** Sends the channel its list of users soon; changes that follow until then share the list. */
  changed(key: ChannelKey): void;
  close(): void;
}

interface PresenceAnnouncerOptions {
  broker: Pick<Broker, 'present'>;
  /** Shortest time between two lists of a channel, in milliseconds. */
  presenceMs: number;
  /** Sends the list to the sockets in the channel; returns the bytes that were written. */
  announce(key: ChannelKey, users: PresentUser[]): number;
  onError(error: unknown): void;
}

/** Bytes of lists that a channel may send in a millisecond: long lists for many sockets are sent less often. */
const BYTES_PER_MS = 10_000;

/** Throttles the lists of users for each channel. */
export function createPresenceAnnouncer({
  broker,
  presenceMs,
  announce,
  onError,
}: PresenceAnnouncerOptions): PresenceAnnouncer {
  const scheduled = new Map<ChannelKey, { changed: boolean; timer: NodeJS.Timeout | undefined }>();

  function schedule(key: ChannelKey, ms: number): void {
    const entry = scheduled.get(key);
    if (entry) entry.timer = setTimeout(() => run(key), ms).unref();
  }

  async function run(key: ChannelKey): Promise<void> {
    const entry = scheduled.get(key);
    if (!entry?.changed) {
      scheduled.delete(key);
      return;
    }
    entry.changed = false;
    let written = 0;
    try {
      written = announce(key, presentUsers(await broker.present(key)));
    } catch (error) {
      onError(error);
    }
    schedule(key, Math.max(presenceMs, written / BYTES_PER_MS));
  }

  return {
    changed(key) {
      const entry = scheduled.get(key);
      if (entry) {
        entry.changed = true;
        return;
      }
      scheduled.set(key, { changed: true, timer: undefined });
      schedule(key, presenceMs);
    },
    close() {
      for (const { timer } of scheduled.values()) clearTimeout(timer);
      scheduled.clear();
    },
  };
}
