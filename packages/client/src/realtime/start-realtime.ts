import { report } from './call-listener.ts';
import { createClock } from './clock.ts';
import { Publisher } from './message-publisher.ts';
import type { RealtimeOptions, RealtimeState } from './realtime-client.ts';
import { Connection } from './realtime-connection.ts';
import { createSpeaker } from './socket-credentials.ts';
import { Channels } from './subscriptions.ts';

/** The socket and what goes over it. */
export interface OpenRealtime {
  subscribe: Channels['add'];
  publish: Publisher['publish'];
  close(): void;
}

/** `onState` is called with each state that is another one. */
export function openRealtime(
  { projectId, origin, window, bearer, session, now, settings }: RealtimeOptions,
  onState: (state: RealtimeState) => void,
): OpenRealtime {
  const { clock = createClock(now), random = Math.random, WebSocket = globalThis.WebSocket } = settings;
  const connection: Connection = new Connection({
    url: socketAddress(origin || (window?.location.origin ?? ''), projectId),
    WebSocket,
    clock,
    random,
    speaker: createSpeaker(bearer),
    window,
    isWanted: () => channels.size > 0 || publisher.isBusy,
    onTold: (told) => channels.hear(told),
    onKicked: (channel, error) => channels.kicked(channel, error),
    onError(error) {
      if (!channels.fail(error)) report(error);
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
  const channels = new Channels({ connection, clock, random, onState: tell });
  const publisher = new Publisher(connection, clock);
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
