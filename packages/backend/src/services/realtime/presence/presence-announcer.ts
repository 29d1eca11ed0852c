import type { PresentUser } from '@fabrica/contract';
import type { Broker, Place } from '../broker/broker.ts';
import { presentUsers } from './present-users.ts';

export interface PresenceTeller {
  /** Somebody came or left: whoever is in the channel is told soon, and once for all who come and leave until then. */
  changed(place: Place): void;
  close(): void;
}

export interface PresenceTellerOptions {
  broker: Pick<Broker, 'present'>;
  /** Milliseconds between two lists of a channel, at least. */
  presenceMs: number;
  /** Hands the list to those who are in the channel; answers the bytes that were written. */
  tell(place: Place, users: PresentUser[]): number;
  onError(error: unknown): void;
}

/** Bytes of lists that a channel sends in a millisecond: where many are told of many, they are told less often. */
const BYTES_PER_MS = 10_000;

export function createPresenceTeller({
  broker,
  presenceMs,
  tell,
  onError,
}: PresenceTellerOptions): PresenceTeller {
  const turns = new Map<Place, { changed: boolean; timer: NodeJS.Timeout | undefined }>();

  function wait(place: Place, ms: number): void {
    const turn = turns.get(place);
    if (turn) turn.timer = setTimeout(() => take(place), ms).unref();
  }

  async function take(place: Place): Promise<void> {
    const turn = turns.get(place);
    if (!turn?.changed) {
      turns.delete(place);
      return;
    }
    turn.changed = false;
    let written = 0;
    try {
      written = tell(place, presentUsers(await broker.present(place)));
    } catch (error) {
      onError(error);
    }
    wait(place, Math.max(presenceMs, written / BYTES_PER_MS));
  }

  return {
    changed(place) {
      const turn = turns.get(place);
      if (turn) {
        turn.changed = true;
        return;
      }
      turns.set(place, { changed: true, timer: undefined });
      wait(place, presenceMs);
    },
    close() {
      for (const { timer } of turns.values()) clearTimeout(timer);
      turns.clear();
    },
  };
}
