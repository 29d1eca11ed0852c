import type { RealtimeMessage } from '@fabrica/contract';
import { useEffect, useEffectEvent } from 'react';
import { useClient } from '../client/client-context.tsx';
import { whileVisible } from './while-visible.ts';

interface ChannelListener {
  message(message: RealtimeMessage): void;
  /**
   * Called when the page may have missed messages: before it joined the channel, while its tab was hidden, or in a gap
   * that is too old for the server. In a shorter gap the server sends the missed messages instead.
   */
  stale(): void;
}

/** Subscribes to a channel while the page is visible. Subscribes to nothing when `channel` is null. */
export function useChannel(channel: string | null, listener: ChannelListener): void {
  const client = useClient();
  const message = useEffectEvent(listener.message);
  const stale = useEffectEvent(listener.stale);
  useEffect(() => {
    if (channel === null) return;
    return whileVisible(() => {
      let joined = false;
      return client.realtime.subscribe(channel, {
        message: (received) => message(received),
        resync: () => stale(),
        state(state) {
          if (state !== 'subscribed' || joined) return;
          joined = true;
          stale();
        },
      });
    });
  }, [client, channel]);
}
