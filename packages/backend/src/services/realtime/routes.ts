import { MAX_REALTIME_BYTES, type MessageId } from '@fabrica/contract';
import { messagesQuery, presenceQuery, publishRequest } from '@fabrica/contract/schemas';
import { type Context, Hono } from 'hono';
import type { Project } from '../../database/project.ts';
import { parseJsonBody, parseWith } from '../../http/body.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import { ipKey, type RateLimit, type RateLimits } from '../../http/rate-limit.ts';
import type { Broker } from './broker/broker.ts';
import { presentStored } from './broker/frame.ts';
import { authorizeChannel, createChannelRules } from './channel-rules.ts';
import { bodyOf } from './message-body.ts';
import { presentUsers } from './presence/present-users.ts';

/** As much as a socket may say. */
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

/** For `/api/realtime/:projectId`: the channels' rules bind callers as they bind sockets. */
export function realtimeRoutes({
  broker,
  limits,
}: {
  broker: Broker;
  limits: RateLimits;
}): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  /** Counts a call of anybody's but the service's. */
  async function consume(limit: RateLimit, c: Context<AppEnvironment>): Promise<void> {
    const { project, caller, clientIp } = c.var;
    if (caller.kind === 'service') return;
    const who = caller.kind === 'user' ? caller.id : ipKey(clientIp);
    await limits.consume(limit, `${project.definition.id}:${who}`);
  }
  const placeOf = ({ definition }: Project, channel: string) => `${definition.id}:${channel}`;

  routes.post('/publish', async (c) => {
    const { project, caller } = c.var;
    await consume(PUBLISH_LIMIT, c);
    const said = await parseJsonBody(c, publishRequest, MAX_REALTIME_BYTES);
    authorizeChannel(
      caller,
      createChannelRules(project.definition)(said.channel).publish,
      project.definition,
    );
    const userId = caller.kind === 'user' ? caller.id : undefined;
    const messageId: MessageId = await broker.publish(
      placeOf(project, said.channel),
      bodyOf({ ...said, userId }),
    );
    return c.json({ messageId });
  });

  routes.get('/presence', async (c) => {
    const { project, caller } = c.var;
    await consume(READ_LIMIT, c);
    const { channel } = parseWith(presenceQuery, c.req.query());
    authorizeChannel(caller, createChannelRules(project.definition)(channel).join, project.definition);
    return c.json({ users: presentUsers(await broker.present(placeOf(project, channel))) });
  });

  routes.get('/messages', async (c) => {
    const { project, caller } = c.var;
    await consume(READ_LIMIT, c);
    const { channel, ...range } = parseWith(messagesQuery, c.req.query());
    authorizeChannel(caller, createChannelRules(project.definition)(channel).join, project.definition);
    const messages = await broker.history(placeOf(project, channel), range);
    const json = `{"messages":[${messages.map((message) => presentStored(channel, message)).join()}]}`;
    return c.body(json, 200, { 'content-type': 'application/json; charset=utf-8' });
  });

  return routes;
}
