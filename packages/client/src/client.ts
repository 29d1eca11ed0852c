import type { RoleMap } from '@fabrica/contract';
import { type Ai, createAi } from './ai/ai-client.ts';
import { type Analytics, createAnalytics } from './analytics/analytics-client.ts';
import { createInsights, type ReadInsights } from './analytics/insights.ts';
import { type Auth, createAuth } from './auth/auth-client.ts';
import { Session } from './auth/session/client-session.ts';
import type { StorageLike, WindowLike } from './browser/window.ts';
import { createData, type Data } from './data-client.ts';
import { createTable, type Table, type TableOptions } from './database/table-client.ts';
import { ValidationError } from './http/errors.ts';
import { type BearerSource, createHttp, createSend } from './http/http.ts';
import { createNotifications, type Notifications } from './notifications-client.ts';
import { createRealtime, type Realtime, type RealtimeSettings } from './realtime/realtime-client.ts';
import { createStorage, type Storage } from './storage-client.ts';

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

export interface Database {
  /** `journalPosts` is the table `journal_posts`. */
  table<Row extends object>(name: string, options?: TableOptions): Table<Row>;
}

export interface FabricaClient {
  readonly projectId: string;
  readonly auth: Auth;
  readonly db: Database;
  readonly storage: Storage;
  readonly ai: Ai;
  readonly data: Data;
  readonly notifications: Notifications;
  readonly realtime: Realtime;
  readonly analytics: Analytics;
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
  const send = createSend({ origin, fetch, language });
  const session = new Session({
    projectId,
    send,
    window,
    tokenStorage,
    allowedParentOrigins,
    acceptUnsolicitedTokens,
    now,
  });
  const bearer = secretKey ? keyBearer(secretKey) : session;
  const http = createHttp(send, bearer);
  return {
    projectId,
    auth: createAuth({ session, send, projectId, origin, window, roles, authMode, now }),
    db: { table: (name, tableOptions) => createTable({ http, projectId, now }, name, tableOptions) },
    storage: createStorage({ http, projectId }),
    ai: createAi({ http, projectId, fetch }),
    data: createData({ http, projectId }),
    notifications: createNotifications({ http, projectId }),
    realtime: createRealtime({ projectId, origin, http, bearer, session, window, now, settings: realtime }),
    analytics: createAnalytics({ projectId, origin, fetch, window, language, now }),
    insights: createInsights({ http, projectId }),
  };
}

function keyBearer(secretKey: string): BearerSource {
  return { accessToken: async () => secretKey, renew: async () => undefined };
}
