import type { RoleMap } from '@fabrica/contract';
import type { AiClient } from './ai/ai-client.ts';
import { type AnalyticsClient, createAnalyticsClient } from './analytics/analytics-client.ts';
import { createReadInsights, type ReadInsights } from './analytics/insights.ts';
import { type AuthClient, createAuthClient } from './auth/auth-client.ts';
import { ClientSession } from './auth/session/client-session.ts';
import type { StorageLike, WindowLike } from './browser/window.ts';
import type { DataClient } from './data-client.ts';
import { createTableClient, type TableClient, type TableOptions } from './database/table-client.ts';
import { ValidationError } from './http/errors.ts';
import { type BearerSource, createHttpClient, createSendHttpRequest, type HttpRequest } from './http/http.ts';
import { createLateService } from './late-service.ts';
import type { NotificationsClient } from './notifications-client.ts';
import { createRealtimeClient, type RealtimeClient } from './realtime/realtime-client.ts';
import type { RealtimeOverrides } from './realtime/realtime-types.ts';
import type { StorageClient } from './storage-client.ts';

export interface ClientOptions {
  projectId: string;
  /** The backend's origin; empty for the page's own. */
  origin: string;
  fetch?: typeof fetch | undefined;
  /** The storage for tokens. Default: the window's localStorage, else memory. */
  tokenStorage?: StorageLike | undefined;
  /** Default: the global `window`, if there is one. */
  window?: WindowLike | undefined;
  /** Origins of windows that may embed the page and give it tokens. Default: none. */
  allowedParentOrigins?: readonly string[] | undefined;
  /** The permissions of each role, for `auth.can`. The server decides by its own. */
  roles?: RoleMap | undefined;
  /**
   * With `managed`, users sign in on the backend's own page, by `login` or in a popup; `signUp` and `signInWithEmail`
   * throw (docs/spec/product.md section 5). Default: `headless`.
   */
  authMode?: 'headless' | 'managed' | undefined;
  /** Returns the page's language at each call, for responses and for the mails that the call causes. */
  language?: (() => string | undefined) | undefined;
  /**
   * Accepts tokens in the URL even if this tab did not start the sign-in. Default: false, because such a link could
   * sign a visitor in to an attacker's account, and the attacker could read what the visitor writes and uploads
   * there. Tokens with the `state` that this tab stored are always accepted.
   */
  acceptUnsolicitedTokens?: boolean | undefined;
  /** Replaces the WebSocket, the clock and the random numbers of realtime. */
  realtime?: RealtimeOverrides | undefined;
  /** Makes calls as the service role. For servers only, never for a browser. */
  secretKey?: string | undefined;
  /** Returns the time in epoch milliseconds. Default: `Date.now`. */
  now?: (() => number) | undefined;
}

export interface DatabaseClient {
  /** Returns a client of one table. The name is camelCase: `journalPosts` is the table `journal_posts`. */
  table<Row extends object>(name: string, options?: TableOptions): TableClient<Row>;
}

/** A request to a service that the project adds to the backend. */
export type ProjectRequest = Pick<
  HttpRequest,
  'method' | 'path' | 'query' | 'json' | 'text' | 'headers' | 'keepalive'
>;

export interface FabricaClient {
  readonly projectId: string;
  readonly auth: AuthClient;
  readonly db: DatabaseClient;
  readonly storage: StorageClient;
  readonly ai: AiClient;
  readonly data: DataClient;
  readonly notifications: NotificationsClient;
  readonly realtime: RealtimeClient;
  readonly analytics: AnalyticsClient;
  /** Fetches the counts of page views, for authors and for users who may see all of them. */
  readonly insights: ReadInsights;
  /** Sends a request to a service of the project's own with the caller's token, and returns the parsed body. */
  request(request: ProjectRequest): Promise<unknown>;
  /** Sends such a request whose response is a text, such as an exported file. */
  requestText(request: ProjectRequest): Promise<string>;
}

/** Creates a client of one project. `auth.destroy()` and `analytics.destroy()` remove its listeners and timers. */
export function createClient(options: ClientOptions): FabricaClient {
  const { projectId, tokenStorage, allowedParentOrigins = [], secretKey, now = Date.now } = options;
  const {
    roles = {},
    language,
    acceptUnsolicitedTokens = false,
    authMode = 'headless',
    realtime = {},
  } = options;
  const origin = options.origin.replace(/\/+$/, '');
  const window = options.window ?? (typeof globalThis.window === 'undefined' ? undefined : globalThis.window);
  if (secretKey && window) throw new ValidationError('A secret key belongs on a server, not in a browser.');
  const fetch =
    options.fetch ?? ((...call: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...call));
  const send = createSendHttpRequest({ origin, fetch, language });
  const session = new ClientSession({
    projectId,
    send,
    window,
    tokenStorage,
    allowedParentOrigins,
    acceptUnsolicitedTokens,
    now,
  });
  const bearer = secretKey ? keyBearer(secretKey) : session;
  const http = secretKey ? createHttpClient(send, bearer) : session.http;
  return {
    projectId,
    auth: createAuthClient({ session, send, projectId, origin, window, roles, authMode, now }),
    db: { table: (name, tableOptions) => createTableClient({ http, projectId, now }, name, tableOptions) },
    storage: createLateService<StorageClient>({ upload: true, download: true, remove: true }, async () =>
      (await import('./storage-client.ts')).createStorageClient({ http, projectId }),
    ),
    ai: createLateService<AiClient>(
      {
        generateText: true,
        streamText: true,
        generateObject: true,
        streamObject: true,
        generateImage: true,
        modifyImage: true,
        generateSpeech: true,
        transcribeAudio: true,
      },
      async () => (await import('./ai/ai-client.ts')).createAiClient({ http, projectId, fetch }),
    ),
    data: createLateService<DataClient>(
      {
        extractFromUrl: true,
        extractFromBlob: true,
        scrape: true,
        screenshot: true,
        fetch: true,
        fetchAsync: true,
        search: true,
      },
      async () => (await import('./data-client.ts')).createDataClient({ http, projectId }),
    ),
    notifications: createLateService<NotificationsClient>(
      { email: true, settings: true, changeSettings: true, stop: true, countMessages: true },
      async () => (await import('./notifications-client.ts')).createNotificationsClient({ http, projectId }),
    ),
    realtime: createRealtimeClient({
      projectId,
      origin,
      http,
      bearer,
      session,
      window,
      now,
      overrides: realtime,
    }),
    analytics: createAnalyticsClient({ projectId, origin, fetch, window, language, now }),
    insights: createReadInsights({ http, projectId }),
    request: async (request) => (await http.request({ ...request, service: 'project' })).body,
    requestText: async (request) =>
      (await http.request({ ...request, service: 'project', expectsText: true })).text,
  };
}

function keyBearer(secretKey: string): BearerSource {
  return { accessToken: async () => secretKey, renew: async () => undefined };
}
