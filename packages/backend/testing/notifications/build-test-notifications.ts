import { Hono } from 'hono';
import { anonymous, type Caller } from '../../src/core/caller.ts';
import { createGate, createGuardedFetcher, type GuardedFetcher } from '../../src/fetcher/index.ts';
import type { AppEnvironment } from '../../src/http/environment.ts';
import { presentError } from '../../src/http/present-error.ts';
import { createRateLimits } from '../../src/http/rate-limit.ts';
import { parseSender } from '../../src/mail/index.ts';
import { newUser } from '../../src/services/auth/accounts/user.ts';
import { insertUser, type UserRow } from '../../src/services/auth/queries.ts';
import { notificationRoutes } from '../../src/services/notifications/index.ts';
import { fixedKey } from '../fixed-key.ts';
import { FROM } from '../mail/build-test-mail.ts';
import { openTestOutbox } from '../mail/build-test-outbox.ts';
import { testPages } from '../test-pages.ts';
import { readTestResponse, type TestResponse } from '../test-response.ts';

interface NotificationTestOptions {
  rateLimit?: boolean;
  /** `host:port` pairs of this machine from which attachments may be fetched. */
  allowHosts?: readonly string[];
  /** Milliseconds for fetching all attachments of an email. */
  fetchTimeout?: number;
}

export const PUBLIC_URL = 'https://journal.example';
export const TEST_KEYS = { refreshKeys: fixedKey(Buffer.alloc(32, 7)) };

/** Opens the service's routes on an outbox; a test chooses the mail server and the callers. */
export async function openTestNotifications() {
  const outbox = await openTestOutbox();
  const fetchers: GuardedFetcher[] = [];
  return {
    ...outbox,
    async reset() {
      for (const fetcher of fetchers.splice(0)) await fetcher.close();
      await outbox.reset();
    },
    async createUser(given: Partial<UserRow> & { id: string }): Promise<Caller> {
      const user = newUser(outbox.project, {
        email: `${given.id}@example.org`,
        email_verified: 1,
        ...given,
      });
      await insertUser(outbox.database.writer, user);
      return { kind: 'user', id: user.id, email: user.email, displayName: null, role: user.role };
    },
    /** Opens the routes with a mail server. A body that is not text is sent as JSON. */
    open(
      smtpUrl: string,
      { rateLimit = false, allowHosts = [], fetchTimeout }: NotificationTestOptions = {},
    ) {
      const fetcher = createGuardedFetcher({ gate: createGate({ allowHosts }), userAgent: 'Fabrica' });
      fetchers.push(fetcher);
      const mailQueue = outbox.openQueue(smtpUrl);
      const limits = createRateLimits({ enabled: rateLimit });
      const routes = notificationRoutes({
        mailQueue,
        limits,
        keys: TEST_KEYS,
        publicUrl: PUBLIC_URL,
        stopPage: testPages.stopNotices,
        sender: parseSender(FROM),
        fetcher,
        ...(fetchTimeout !== undefined && { fetchTimeout }),
      });
      const call = async (
        method: string,
        path: string,
        { caller = anonymous, body }: { caller?: Caller; body?: unknown } = {},
      ): Promise<TestResponse> => {
        const app = new Hono<AppEnvironment>();
        app.onError(presentError);
        app.use(async (c, next) => {
          c.set('project', outbox.project);
          c.set('caller', caller);
          c.set('clientIp', '203.0.113.1');
          await next();
        });
        app.route('/', routes);
        const sent = typeof body === 'string' ? body : JSON.stringify(body);
        const response = await app.request(path, { method, ...(body === undefined ? {} : { body: sent }) });
        return readTestResponse(response);
      };
      return {
        mailQueue,
        limits,
        call,
        /** Sends an email by the API, and returns the response once the email is delivered. */
        async email(body: unknown, caller: Caller = { kind: 'service' }): Promise<TestResponse> {
          const response = await call('POST', '/email', { caller, body });
          await mailQueue.idle();
          return response;
        },
      };
    },
  };
}

export type TestNotifications = Awaited<ReturnType<typeof openTestNotifications>>;
