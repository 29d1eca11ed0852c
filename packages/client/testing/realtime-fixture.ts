import type { TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  openTestRealtime,
  type TestRealtime,
  type TestRealtimeOptions,
} from '@fabrica/backend/testing/realtime/build-test-realtime.ts';
import {
  type ClientOptions,
  createClient,
  type FabricaClient,
  type FabricaError,
  type SubscribeOptions,
} from '@fabrica/client';
import type { ClientMessage, PresentUser, RealtimeMessage } from '@fabrica/contract';
import { onTestFinished } from 'vitest';
import { BrowserStandIn, type TabStandIn } from './browser-stand-in.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { TestClock } from './test-clock.ts';

export interface RealtimeFixture extends TestRealtime {
  proxy: TcpProxy;
  /** What was said in a channel, kept by the server itself. */
  history(channel: string): Promise<unknown[]>;
  /** Calls go to the services themselves. */
  fetch: typeof fetch;
  connect(options?: Partial<ClientOptions>): TestClient;
}

export interface TestClient {
  client: FabricaClient;
  clock: TestClock;
  /** All that its sockets sent, oldest first. */
  sent: ClientMessage[];
  /** The addresses of its sockets, oldest first. */
  sockets: string[];
  listen(channel: string, options?: SubscribeOptions): Listening;
}

/** What a listener was told. */
export interface Listening {
  heard: unknown[];
  messages: RealtimeMessage[];
  states: string[];
  errors: FabricaError[];
  users: PresentUser[][];
  resyncs: number;
  end(): void;
}

export const portOf = ({ url }: Pick<TestRealtime, 'url'>) => Number(new URL(url).port);

/** The real service, a line to it that can break, and clients whose time is the test's. */
export async function openRealtimeFixture(
  options: TestRealtimeOptions & { accounts: TestAuth },
): Promise<RealtimeFixture> {
  const server = await openTestRealtime(options);
  const proxy = await openTcpProxy(portOf(server));
  const fetch = createFetch(options.accounts, server);
  return {
    ...server,
    proxy,
    fetch,
    async history(channel) {
      const { body } = await server.call('GET', `messages?limit=1000&channel=${channel}`);
      return body.messages.map(({ data }: RealtimeMessage) => data);
    },
    connect(changes = {}) {
      const clock = new TestClock();
      const sent: ClientMessage[] = [];
      const sockets: string[] = [];
      const client = createClient({
        projectId: 'journal',
        origin: proxy.origin,
        fetch,
        now: () => clock.now(),
        realtime: { clock, random: () => 0.5, WebSocket: recordingSocket(sent, sockets) },
        ...changes,
      });
      onTestFinished(() => client.auth.destroy());
      return { client, clock, sent, sockets, listen: (...call) => listen(client, ...call) };
    },
  };
}

/** A browser's tab; its window tells of what happens to the page. */
export function openTab(): TabStandIn {
  return new BrowserStandIn().openTab();
}

function listen({ realtime }: FabricaClient, channel: string, options?: SubscribeOptions): Listening {
  const told: Listening = {
    heard: [],
    messages: [],
    states: [],
    errors: [],
    users: [],
    resyncs: 0,
    end: () => end(),
  };
  const end = realtime.subscribe(
    channel,
    {
      message(message) {
        told.messages.push(message);
        told.heard.push(message.data);
      },
      resync() {
        told.resyncs += 1;
      },
      presence: (users) => told.users.push(users),
      state: (state) => told.states.push(state),
      error: (error) => told.errors.push(error),
    },
    options,
  );
  return told;
}

function createFetch(accounts: TestAuth, server: TestRealtime): typeof fetch {
  return async (address, init = {}) => {
    const { pathname, search } = new URL(String(address));
    const method = init.method ?? 'GET';
    const headers = init.headers as Record<string, string>;
    const path = /^\/api\/realtime\/journal\/(.*)$/.exec(pathname)?.[1];
    const token = headers.authorization?.slice('Bearer '.length);
    const { status, body } =
      path === undefined
        ? await accounts.call(method, pathname + search, {
            ...(init.body && { body: init.body }),
            headers,
          })
        : await server.call(method, path + search, token === undefined ? {} : { token });
    return Response.json(body, { status });
  };
}

function recordingSocket(sent: ClientMessage[], sockets: string[]): typeof WebSocket {
  return class extends WebSocket {
    constructor(url: string) {
      super(url);
      sockets.push(url);
    }

    override send(data: string): void {
      sent.push(JSON.parse(data));
      super.send(data);
    }
  } as typeof WebSocket;
}
