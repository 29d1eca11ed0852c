import type { TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  openTestRealtime,
  type TestRealtime,
  type TestRealtimeOptions,
} from '@fabrica/backend/testing/realtime/build-test-realtime.ts';
import type { ClientMessage, PresentUser, RealtimeMessage } from '@fabrica/contract';
import { onTestFinished } from 'vitest';
import {
  type ClientOptions,
  createClient,
  type FabricaClient,
  type FabricaError,
  type SubscribeOptions,
} from '../src/index.ts';
import { BrowserStandIn, type TabStandIn } from './browser-stand-in.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { TestClock } from './test-clock.ts';

interface RealtimeFixture extends TestRealtime {
  proxy: TcpProxy;
  /** Returns the data of the messages that the server has stored. */
  history(channel: string): Promise<unknown[]>;
  /** Calls the services directly. */
  fetch: typeof fetch;
  connect(options?: Partial<ClientOptions>): TestClient;
}

export interface TestClient {
  client: FabricaClient;
  clock: TestClock;
  /** The messages that all its sockets have sent, oldest first. */
  sent: ClientMessage[];
  /** The URLs of its sockets, oldest first. */
  sockets: string[];
  subscribe(channel: string, options?: SubscribeOptions): TestSubscription;
}

/** A subscription that records the calls of its listener. */
interface TestSubscription {
  /** The data of the messages. */
  received: unknown[];
  messages: RealtimeMessage[];
  states: string[];
  errors: FabricaError[];
  users: PresentUser[][];
  resyncs: number;
  end(): void;
}

export const portOf = ({ url }: Pick<TestRealtime, 'url'>) => Number(new URL(url).port);

/** Opens the real service with a proxy in front of it, for clients whose clock the test advances. */
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
      return { client, clock, sent, sockets, subscribe: (...call) => subscribe(client, ...call) };
    },
  };
}

/** Opens a tab whose window receives the events of the page. */
export function openTab(): TabStandIn {
  return new BrowserStandIn().openTab();
}

function subscribe(
  { realtime }: FabricaClient,
  channel: string,
  options?: SubscribeOptions,
): TestSubscription {
  const subscription: TestSubscription = {
    received: [],
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
        subscription.messages.push(message);
        subscription.received.push(message.data);
      },
      resync() {
        subscription.resyncs += 1;
      },
      presence: (users) => subscription.users.push(users),
      state: (state) => subscription.states.push(state),
      error: (error) => subscription.errors.push(error),
    },
    options,
  );
  return subscription;
}

function createFetch(accounts: TestAuth, server: TestRealtime): typeof fetch {
  return async (url, init = {}) => {
    const { pathname, search } = new URL(String(url));
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
