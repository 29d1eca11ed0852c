import * as schemas from '@fabrica/contract/schemas';
import fc from 'fast-check';
import { z } from 'zod';
import { type AttackClass, type Attempt, pairs } from '../attack.ts';
import { INNARDS } from '../exchange.ts';
import { arbitraryOf, type JsonSchema, mutated, textOf } from '../hostile-values.ts';
import type { Attacker, Target } from '../target.ts';

const RUNS = 300;
const SEED = 20_262;
/** A server that has not answered a ping by then does not answer. */
const ANSWER_MS = 5_000;

interface Outcome {
  /** Everything that the server has sent. */
  received: string[];
  /** The code that it closed the socket with; undefined when it went on and answered a ping. */
  closedWith: number | undefined;
}

/** Attempts to speak for others over a websocket, or to break what reads its messages. */
export function websockets(target: Target): AttackClass {
  const url = `${target.url.replace('http', 'ws')}/api/realtime?project_id=journal`;
  const { victim, attackers } = target;

  const origins = [
    'https://evil.example',
    'null',
    'http://localhost',
    'http://localhost.evil.example',
    'file://',
    `${target.url}.evil.example`,
    `${target.url}0`,
    '*',
  ].map(
    (origin): Attempt => ({
      what: `a socket of ${origin}`,
      run: async () => {
        const { received } = await converse(url, [], { origin });
        return received.length > 0 ? `it was opened: ${received[0]?.slice(0, 80)}` : undefined;
      },
    }),
  );

  const channels = ['gallery', 'post:x', `post:${target.belongings.draft}`, 'private', `user:${victim.id}`];
  const published = pairs([undefined, attackers.author] as Attacker[], channels).map(
    ([as, channel]): Attempt => ({
      what: `a message in ${channel} of ${as ? 'an account' : 'a stranger'}`,
      run: async () => {
        const payload = { channel, type: 'evil', data: {}, userId: victim.id };
        const { received } = await converse(url, [...signIn(as), { type: 'publish', payload }]);
        const isOpen = as !== undefined && !/^(?:gallery|post:)/.test(channel);
        const isTaken = received.some((text) => text.includes('"published"'));
        if (isTaken && !isOpen) return 'it was published';
        return received.some((text) => text.includes(`"userId":"${victim.id}"`))
          ? 'it speaks for the victim'
          : undefined;
      },
    }),
  );

  const presence = pairs(['gallery', 'public:attack'], ['userId', 'metadata'] as const).map(
    ([channel, field]): Attempt => ({
      what: `the victim's presence in ${channel} by ${field}`,
      run: async () => {
        const claim = field === 'userId' ? victim.id : { userId: victim.id };
        const subscribe = { type: 'subscribe', payload: { channel, [field]: claim } };
        const { received } = await converse(url, [...signIn(attackers.author), subscribe]);
        return received.some((text) => text.includes(`"userId":"${victim.id}","metadata"`))
          ? 'the victim seems to be there'
          : undefined;
      },
    }),
  );

  const tokens = ['x', 'null', `${victim.token}x`, victim.session.refresh_token, ''].map(
    (token): Attempt => ({
      what: `the token ${token.slice(0, 12)}…`,
      run: async () => {
        const { received, closedWith } = await converse(url, [
          { type: 'auth', payload: { token } },
          { type: 'publish', payload: { channel: 'private', type: 'evil', data: {} } },
        ]);
        const isTaken = received.some((text) => text.includes('"published"'));
        return isTaken && closedWith === undefined ? 'it was accepted' : undefined;
      },
    }),
  );

  const schema = z.toJSONSchema(schemas.clientMessage, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const values = fc.sample(mutated(arbitraryOf(schema)), { numRuns: RUNS, seed: SEED });
  const fuzzed = [...values, { raw: 'x'.repeat(70_000) }, { raw: new Uint8Array(100) }, { raw: '' }].map(
    (value): Attempt => ({
      what: `the message ${textOf(value).slice(0, 120)}`,
      run: async () => {
        const { received } = await converse(url, [...signIn(attackers.author), value]);
        const innards = received.map((text) => INNARDS.exec(text)?.[0]).find((found) => found !== undefined);
        if (innards !== undefined) return `the answer shows ${innards}`;
        return received.some((text) => text.includes('INTERNAL_ERROR')) ? 'an error of ours' : undefined;
      },
    }),
  );
  return {
    name: 'websockets',
    attempts: [...origins, ...published, ...presence, ...tokens, ...fuzzed],
    concurrency: 8,
  };
}

function signIn(as: Attacker): unknown[] {
  return as ? [{ type: 'auth', payload: { token: as.token } }] : [];
}

/** Sends messages and a ping, and returns what comes back until its answer or the end of the socket. */
function converse(
  url: string,
  messages: readonly unknown[],
  headers: { origin?: string } = {},
): Promise<Outcome> {
  const socket = new WebSocket(url, { headers } as unknown as string[]);
  const received: string[] = [];
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer to a ping')), ANSWER_MS);
    const end = (closedWith: number | undefined) => {
      clearTimeout(timer);
      // Without an origin, sockets are opened: an attempt that was never made must not count as withstood.
      if (received.length === 0 && !headers.origin) reject(new Error('the socket was not opened'));
      resolve({ received, closedWith });
      socket.close();
    };
    socket.addEventListener('open', () => {
      for (const message of messages) socket.send(rawOf(message));
      socket.send('{"type":"ping"}');
    });
    socket.addEventListener('message', ({ data }) => {
      received.push(String(data));
      if (String(data).includes('"pong"')) end(undefined);
    });
    socket.addEventListener('close', ({ code }) => end(code));
    socket.addEventListener('error', () => undefined);
  });
}

function rawOf(message: unknown): string | Uint8Array<ArrayBuffer> {
  const raw = typeof message === 'object' && message !== null && 'raw' in message ? message.raw : undefined;
  return raw instanceof Uint8Array ? new Uint8Array(raw) : textOf(message);
}
