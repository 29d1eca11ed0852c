import { MAX_REALTIME_BYTES, type MessageId } from '@fabrica/contract';
import { messagesQuery, presenceQuery, publishRequest } from '@fabrica/contract/schemas';
import { type Context, Hono } from 'hono';
import { parseJsonBody, parseWith } from '../../http/body.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import type { RateLimit, RateLimits } from '../../http/rate-limit.ts';
import { type Broker, channelKey } from './broker/broker.ts';
import { presentStored, RESYNC_BODY } from './broker/frame.ts';
import { authorizeChannel, createChannelRules } from './channel-rules.ts';
import { serializeBody } from './message-body.ts';
import { presentUsers } from './presence/present-users.ts';

/** Equals the messages that a socket may send. */
const PUBLISH_LIMIT: RateLimit = {
  name: 'realtime-publish',
  points: 500,
  duration: 10,
  message: 'You are publishing too fast. Please wait a moment and try again.',
};

const READ_LIMIT: RateLimit = {
  name: 'realtime-read',
  points: 200,
  duration: 10,
  message: 'You are reading too fast. Please wait a moment and try again.',
};

interface RealtimeRouteOptions {
  broker: Broker;
  limits: RateLimits;
}

/** Returns the routes of `/api/realtime/:projectId`. The channels' rules apply to requests as they do to sockets. */
export function realtimeRoutes({ broker, limits }: RealtimeRouteOptions): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();

  /** Requests with the secret key are not counted. */
  async function consume(limit: RateLimit, c: Context<AppEnvironment>): Promise<void> {
    const { project, caller, clientIp } = c.var;
    if (caller.kind === 'service') return;
    const scope = `${project.definition.id}:`;
    if (caller.kind === 'user') await limits.consume(limit, scope + caller.id);
    else await limits.consumeByIp(limit, clientIp, { scope });
  }

  routes.post('/publish', async (c) => {
    const { caller } = c.var;
    const { definition } = c.var.project;
    await consume(PUBLISH_LIMIT, c);
    const { channel, ...message } = await parseJsonBody(c, publishRequest, MAX_REALTIME_BYTES);
    authorizeChannel(caller, createChannelRules(definition)(channel).publish, definition);
    const userId = caller.kind === 'user' ? caller.id : undefined;
    const body = serializeBody({ ...message, userId });
    const messageId: MessageId = await broker.publish(channelKey(definition.id, channel), body);
    return c.json({ messageId });
  });

  routes.get('/presence', async (c) => {
    const { definition } = c.var.project;
    await consume(READ_LIMIT, c);
    const { channel } = parseWith(presenceQuery, c.req.query());
    authorizeChannel(c.var.caller, createChannelRules(definition)(channel).join, definition);
    return c.json({ users: presentUsers(await broker.present(channelKey(definition.id, channel))) });
  });

  routes.get('/messages', async (c) => {
    const { definition } = c.var.project;
    await consume(READ_LIMIT, c);
    const { channel, ...range } = parseWith(messagesQuery, c.req.query());
    authorizeChannel(c.var.caller, createChannelRules(definition)(channel).join, definition);
    const stored = await broker.history(channelKey(definition.id, channel), range);
    const messages = stored.filter(({ body }) => body !== RESYNC_BODY);
    const json = `{"messages":[${messages.map((message) => presentStored(channel, message)).join()}]}`;
    return c.body(json, 200, { 'content-type': 'application/json; charset=utf-8' });
  });

  return routes;
}
