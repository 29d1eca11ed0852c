import { reportUncaught } from './call-listener.ts';
import { MessagePublisher } from './message-publisher.ts';
import type { RealtimeClientOptions, RealtimeState } from './realtime-client.ts';
import { createRealtimeClock } from './realtime-clock.ts';
import { RealtimeConnection } from './realtime-connection.ts';
import { createSocketCredentials } from './socket-credentials.ts';
import { Subscriptions } from './subscriptions.ts';

/** The socket and what goes over it. */
export interface RunningRealtime {
  subscribe: Subscriptions['add'];
  publish: MessagePublisher['publish'];
  close(): void;
}

/** `onState` is called with each state that is another one. */
export function startRealtime(
  { projectId, origin, window, bearer, session, now, settings }: RealtimeClientOptions,
  onState: (state: RealtimeState) => void,
): RunningRealtime {
  const {
    clock = createRealtimeClock(now),
    random = Math.random,
    WebSocket = globalThis.WebSocket,
  } = settings;
  const connection: RealtimeConnection = new RealtimeConnection({
    url: socketAddress(origin || (window?.location.origin ?? ''), projectId),
    WebSocket,
    clock,
    random,
    speaker: createSocketCredentials(bearer),
    window,
    isWanted: () => channels.size > 0 || publisher.isBusy,
    onTold: (told) => channels.hear(told),
    onKicked: (channel, error) => channels.kicked(channel, error),
    onError(error) {
      if (!channels.fail(error)) reportUncaught(error);
    },
    onReady() {
      channels.ready();
      publisher.ready();
    },
    onLost() {
      channels.lost();
      publisher.lost();
    },
    onStatus() {
      channels.update();
      tell();
    },
  });
  const channels = new Subscriptions({ connection, clock, random, onState: tell });
  const publisher = new MessagePublisher(connection, clock);
  const stopFollowing = session.subscribe(() => void connection.sync());
  let told = '';

  function tell(): void {
    const state = { status: connection.status, channels: channels.states() };
    const text = JSON.stringify(state);
    if (text === told) return;
    told = text;
    onState(state);
  }

  return {
    subscribe: (...call) => channels.add(...call),
    publish: (message) => publisher.publish(message),
    close() {
      stopFollowing();
      channels.clear();
      publisher.close();
      connection.close();
    },
  };
}

/** The token is no part of it: addresses stand in logs. */
function socketAddress(origin: string, projectId: string): string {
  const base = origin.replace(/\/+$/, '').replace(/^http/, 'ws');
  return `${base}/api/realtime?${new URLSearchParams({ project_id: projectId })}`;
}
