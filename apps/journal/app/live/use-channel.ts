import type { RealtimeMessage } from '@fabrica/contract';
import { useEffect, useEffectEvent } from 'react';
import { useClient } from '../client/client-context.tsx';
import { whileWatched } from './while-watched.ts';

export interface ChannelListener {
  message(message: RealtimeMessage): void;
  /**
   * What is shown may be old, and no message will tell: between its loading and the joining of the channel, while the
   * tab had let go, or in a gap that the server no longer knows. A gap that it does know brings its messages instead.
   */
  stale(): void;
}

/** Listens to a channel while the page is looked at; to none where it is null. */
export function useChannel(channel: string | null, listener: ChannelListener): void {
  const client = useClient();
  const message = useEffectEvent(listener.message);
  const stale = useEffectEvent(listener.stale);
  useEffect(() => {
    if (channel === null) return;
    return whileWatched(() => {
      let joined = false;
      return client.realtime.subscribe(channel, {
        message: (said) => message(said),
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
