import type { JsonWebKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { readServerKey } from '@fabrica/backend/testing/auth/build-test-keys.ts';
import {
  type Author,
  buildPost,
  secretKeyOf,
  serviceRest,
  signUp,
  uploadFile,
} from '@fabrica/test-peers/author.ts';
import { startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { runFabricaHere } from '@fabrica/test-peers/run-fabrica.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { noisePng } from '../e2e/noise-png.ts';
import { exchange, type Received, type Sent } from './exchange.ts';

/** Stands in texts that nobody but their owner and the service role may read. */
export const SECRET = 'KEPT-FROM-STRANGERS';

/** Names who attacks; `undefined` stands for a caller without a token. */
export type Attacker = Author | undefined;

export interface Target {
  server: RunningServer;
  url: string;
  secretKey: string;
  /** The private key of access tokens. */
  signingKey: JsonWebKey;
  /** The account whose rows, files and sessions are attacked. */
  victim: Author;
  /** Ids of the victim's rows, and the path of a file. */
  belongings: Record<'post' | 'draft' | 'comment' | 'like' | 'commentLike' | 'file', string>;
  attackers: Record<'anonymous' | 'reader' | 'author' | 'admin', Attacker>;
  /** The attackers who may neither read nor change what others write. */
  outsiders: readonly (readonly [role: string, attacker: Attacker])[];
  /** Calls the REST database as the service role, which sees everything. */
  service: Author['rest'];
  /** Port of a server on all IP addresses of this machine that nothing may connect to. */
  canaryPort: number;
  /** The connections to it. */
  touched: readonly string[];
  /** Returns the URL of a page, on a host that users may reach, that redirects there. */
  redirectTo(location: string, status?: number): string;
  /** Sends a request as an attacker. */
  send(as: Attacker, sent: Sent): Promise<Received>;
  close(): Promise<void>;
}

/** Starts a server without rate limits, and fills it with what is worth attacking. */
export async function startTarget(settings: Record<string, string> = {}): Promise<Target> {
  const touched: string[] = [];
  const canary = createServer((_, response) => response.end(`canary ${SECRET}`));
  canary.on('connection', ({ remoteAddress }) => touched.push(String(remoteAddress)));
  const site = createServer(({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://site');
    const location = Buffer.from(searchParams.get('to') ?? '', 'base64url').toString('latin1');
    response.writeHead(Number(searchParams.get('status') ?? 404), { location }).end();
  });
  const canaryPort = await listen(canary, '::');
  const sitePort = await listen(site, '127.0.0.1');
  const ai = await startOpenAiStandIn();
  const server = await startServer({
    DEMO: 'off',
    RATE_LIMIT: 'off',
    ROWS_QUOTA: '0',
    DATA_ALLOW_HOSTS: `127.0.0.1:${sitePort}`,
    AI_BASE_URL: ai.url,
    AI_TEXT_MODEL: 'stand-in',
    AI_IMAGE_MODEL: 'stand-in',
    AI_SPEECH_MODEL: 'stand-in',
    AI_TRANSCRIBE_MODEL: 'stand-in',
    ...settings,
  });
  const victim = await signUp(server, 'Vera Kept');
  const attackers = {
    anonymous: undefined,
    reader: await signUp(server, 'Rolf'),
    author: await signUp(server, 'Anton'),
    admin: await signUp(server, 'Alma'),
  };
  for (const role of ['reader', 'admin'] as const) {
    const { exitCode, stderr } = await runFabricaHere(
      ['user', 'set-role', attackers[role].email, role],
      server.settings,
    );
    if (exitCode !== 0) throw new Error(stderr);
  }
  return {
    server,
    url: server.url,
    secretKey: await secretKeyOf(server),
    signingKey: JSON.parse(await readServerKey(server.settings, 'signing')).keys[0],
    victim,
    belongings: await createBelongings(server, victim),
    attackers,
    outsiders: Object.entries(attackers).filter(([role]) => role !== 'admin'),
    service: serviceRest(server),
    canaryPort,
    touched,
    redirectTo: (location, status = 302) =>
      `http://127.0.0.1:${sitePort}/?status=${status}&to=${Buffer.from(location).toString('base64url')}`,
    send: (as, { headers, ...sent }) =>
      exchange(server.url, {
        ...sent,
        headers: { ...(as && { authorization: `Bearer ${as.token}` }), ...headers },
      }),
    async close() {
      await server.close();
      await ai.close();
      for (const one of [canary, site]) {
        one.closeAllConnections();
        one.close();
      }
    },
  };
}

/** Creates rows and a file of the victim's. */
async function createBelongings(server: RunningServer, victim: Author): Promise<Target['belongings']> {
  const file = `posts/${Date.now()}.png`;
  const image = await uploadFile(server, victim.token, { path: file, bytes: noisePng(8, 8) });
  const create = async (table: string, row: Record<string, unknown>) => {
    const response = await victim.rest('POST', table, row);
    if (!response.ok) throw new Error(`${table}: ${response.status} ${await response.text()}`);
    const [created] = (await response.json()) as { id: string }[];
    return created?.id ?? '';
  };
  const post = await create('journal_posts', buildPost(victim, image));
  await waitForTranslations(server, post);
  const draft = await create(
    'journal_posts',
    buildPost(victim, { published: 0, title: SECRET, content: SECRET, title_en: SECRET, content_en: SECRET }),
  );
  await waitForTranslations(server, draft);
  const comment = await create('post_comments', { post_id: post, user_id: victim.id, content: 'Mine.' });
  return {
    post,
    draft,
    comment,
    like: await create('post_likes', { post_id: post, user_id: victim.id }),
    commentLike: await create('comment_likes', { comment_id: comment, user_id: victim.id }),
    file,
  };
}

/** Waits until the server has recorded who wrote the languages of a post, which it does after the post is there. */
async function waitForTranslations(server: RunningServer, post: string): Promise<void> {
  for (;;) {
    const rows = await serviceRest(server)('GET', `journal_posts?id=eq.${post}`);
    const [row] = (await rows.json()) as { translations: string | null }[];
    if (row?.translations) return;
    await wait(20);
  }
}

function listen(server: ReturnType<typeof createServer>, host: string): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, host, () => resolve((server.address() as AddressInfo).port)),
  );
}
