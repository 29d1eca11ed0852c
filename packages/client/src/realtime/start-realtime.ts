import { reportUncaught } from './call-listener.ts';
import { MessagePublisher } from './message-publisher.ts';
import { createRealtimeClock } from './realtime-clock.ts';
import { RealtimeConnection } from './realtime-connection.ts';
import type { RealtimeClientOptions, RealtimeState } from './realtime-types.ts';
import { createSocketCredentials } from './socket-credentials.ts';
import { Subscriptions } from './subscriptions.ts';

/** The parts of realtime that need a socket. */
export interface RunningRealtime {
  subscribe: Subscriptions['subscribe'];
  publish: MessagePublisher['publish'];
  close(): void;
}

/** Connects the socket, the subscriptions and the publisher. Calls `onState` when the state has changed. */
export function startRealtime(
  { projectId, origin, window, bearer, session, now, overrides }: RealtimeClientOptions,
  onState: (state: RealtimeState) => void,
): RunningRealtime {
  const {
    clock = createRealtimeClock(now),
    random = Math.random,
    WebSocket = globalThis.WebSocket,
  } = overrides;
  const connection: RealtimeConnection = new RealtimeConnection({
    url: socketUrl(origin || (window?.location.origin ?? ''), projectId),
    WebSocket,
    clock,
    random,
    credentials: createSocketCredentials(bearer),
    window,
    isWanted: () => subscriptions.size > 0 || publisher.isBusy,
    onEvent: (event) => subscriptions.onEvent(event),
    onRemoved: (channel, error) => subscriptions.onRemoved(channel, error),
    onError(error) {
      if (!subscriptions.notifyError(error)) reportUncaught(error);
    },
    onReady() {
      subscriptions.onReady();
      publisher.onReady();
    },
    onDisconnect() {
      subscriptions.onDisconnect();
      publisher.onDisconnect();
    },
    onStatus() {
      subscriptions.updateStates();
      updateState();
    },
  });
  const subscriptions = new Subscriptions({ connection, clock, random, onState: updateState });
  const publisher = new MessagePublisher(connection, clock);
  const unsubscribe = session.subscribe(() => void connection.syncToken());
  let lastJson = '';

  function updateState(): void {
    const state = { status: connection.status, channels: subscriptions.states() };
    const json = JSON.stringify(state);
    if (json === lastJson) return;
    lastJson = json;
    onState(state);
  }

  return {
    subscribe: (...subscription) => subscriptions.subscribe(...subscription),
    publish: (message) => publisher.publish(message),
    close() {
      unsubscribe();
      subscriptions.clear();
      publisher.close();
      connection.close();
    },
  };
}

/** Returns the URL of the socket. It holds no token, because URLs are logged. */
function socketUrl(origin: string, projectId: string): string {
  return `${origin.replace(/^http/, 'ws')}/api/realtime?${new URLSearchParams({ project_id: projectId })}`;
}
