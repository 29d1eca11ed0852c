import type { RoleMap } from '@fabrica/contract';
import { type AiClient, createAiClient } from './ai/ai-client.ts';
import { type AnalyticsClient, createAnalyticsClient } from './analytics/analytics-client.ts';
import { createReadInsights, type ReadInsights } from './analytics/insights.ts';
import { type AuthClient, createAuthClient } from './auth/auth-client.ts';
import { ClientSession } from './auth/session/client-session.ts';
import type { StorageLike, WindowLike } from './browser/window.ts';
import { createDataClient, type DataClient } from './data-client.ts';
import { createTableClient, type TableClient, type TableOptions } from './database/table-client.ts';
import { ValidationError } from './http/errors.ts';
import { type BearerSource, createHttpClient, createSendHttpRequest } from './http/http.ts';
import { createNotificationsClient, type NotificationsClient } from './notifications-client.ts';
import {
  createRealtimeClient,
  type RealtimeClient,
  type RealtimeSettings,
} from './realtime/realtime-client.ts';
import { createStorageClient, type StorageClient } from './storage-client.ts';

export interface ClientOptions {
  projectId: string;
  /** Base address of the backend; empty for the page's own origin. */
  origin: string;
  fetch?: typeof fetch | undefined;
  /** Where tokens are kept; the window's localStorage by default, else memory. */
  tokenStorage?: StorageLike | undefined;
  /** The browser's own by default. */
  window?: WindowLike | undefined;
  /** Origins of windows that may embed us and hand tokens down; none by default. */
  allowedParentOrigins?: readonly string[] | undefined;
  /** What each role may do, for `auth.can`; the project's own map. The server decides for itself. */
  roles?: RoleMap | undefined;
  /**
   * `managed`: signing in is the backend's own page's to do, by `login` or in a popup; `signUp` and `signInWithEmail`
   * are refused (docs/spec/product.md section 5). Default: `headless`.
   */
  authMode?: 'headless' | 'managed' | undefined;
  /** The page's language, for the mails that calls lead to; asked at each call. */
  language?: (() => string | undefined) | undefined;
  /**
   * Also takes tokens from an address to which nobody was sent from here. Off, because whoever makes such a link from
   * their own tokens would sign a visitor in to the stranger's account, where what the visitor writes, uploads or
   * reveals is the stranger's to read. Tokens with the `state` that this tab left with are always taken.
   */
  acceptUnsolicitedTokens?: boolean | undefined;
  /** What the socket is made of, where it is not the usual. */
  realtime?: RealtimeSettings | undefined;
  /** Acts as the service role; for servers, never for a browser. */
  secretKey?: string | undefined;
  /** The clock, epoch milliseconds. */
  now?: (() => number) | undefined;
}

export interface DatabaseClient {
  /** `journalPosts` is the table `journal_posts`. */
  table<Row extends object>(name: string, options?: TableOptions): TableClient<Row>;
}

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
  /** What was counted on the pages, for authors and those who may see all of it. */
  readonly insights: ReadInsights;
}

/** A client of one project. `auth.destroy()` and `analytics.destroy()` remove all that it set up. */
export function createClient(options: ClientOptions): FabricaClient {
  const { projectId, origin, tokenStorage, allowedParentOrigins = [], secretKey, now = Date.now } = options;
  const {
    roles = {},
    language,
    acceptUnsolicitedTokens = false,
    authMode = 'headless',
    realtime = {},
  } = options;
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
  const http = createHttpClient(send, bearer);
  return {
    projectId,
    auth: createAuthClient({ session, send, projectId, origin, window, roles, authMode, now }),
    db: { table: (name, tableOptions) => createTableClient({ http, projectId, now }, name, tableOptions) },
    storage: createStorageClient({ http, projectId }),
    ai: createAiClient({ http, projectId, fetch }),
    data: createDataClient({ http, projectId }),
    notifications: createNotificationsClient({ http, projectId }),
    realtime: createRealtimeClient({
      projectId,
      origin,
      http,
      bearer,
      session,
      window,
      now,
      settings: realtime,
    }),
    analytics: createAnalyticsClient({ projectId, origin, fetch, window, language, now }),
    insights: createReadInsights({ http, projectId }),
  };
}

function keyBearer(secretKey: string): BearerSource {
  return { accessToken: async () => secretKey, renew: async () => undefined };
}
