import { type AttackClass, type Attempt, pairs } from '../attack.ts';
import { notRefused, type Sent } from '../exchange.ts';
import { type Attacker, SECRET, type Target } from '../target.ts';

interface Reach {
  what: string;
  sent: Sent;
  /** The statuses with which it may be refused; a request that succeeds must have done nothing. */
  refusedWith?: readonly number[];
}

const REFUSED = [400, 401, 403, 404, 405, 415] as const;

/** Attempts to use what belongs to another account or to the operator, outside the tables. */
export function foreignThings(target: Target): AttackClass {
  const attempts = pairs(target.outsiders, buildReaches(target)).map(
    ([[who, as], { what, sent, refusedWith = REFUSED }]): Attempt => ({
      what: `${who}: ${what}`,
      async run() {
        const received = await target.send(as, sent);
        if (received.text.includes(SECRET)) return 'it shows what only its owner may read';
        return notRefused(received, refusedWith);
      },
    }),
  );
  return { name: 'things of others', attempts, concurrency: 4, findHarm: () => findHarm(target) };
}

function buildReaches({ victim, belongings, attackers, secretKey }: Target): Reach[] {
  const post = (path: string, body: unknown): Sent => ({ method: 'POST', path, body });
  const { file, draft } = belongings;
  const secretOnly: Reach[] = [
    post('/api/db/journal/sql', { query: 'select * from users', params: [] }),
    post('/api/db/journal/sql', { query: 'select 1' }),
    post('/api/db/journal/batch', { statements: [{ sql: 'delete from journal_posts' }], mode: 'write' }),
    post('/api/db/journal/batch', { statements: [{ sql: 'select 1' }], mode: 'read' }),
    post('/api/auth/password/reset/generate', { email: victim.email, projectId: 'journal' }),
    post('/api/auth/signin/magic/generate', { email: victim.email, projectId: 'journal' }),
    post('/api/auth/email/verify/generate', { email: victim.email }),
    post('/api/auth/email/verify/generate', { email: victim.email, projectId: 'journal', role: 'service' }),
  ].map((sent) => ({
    what: `${sent.path} ${JSON.stringify(sent.body).slice(0, 60)}`,
    sent,
    // With an own token, the last two mail the caller's own link and say nothing of it.
    refusedWith: sent.path.includes('verify') ? [200, ...REFUSED] : REFUSED,
  }));
  const mails = ['to', 'cc', 'bcc'].flatMap((field) =>
    [victim.email, [victim.email], [`V <${victim.email}>`], [`${victim.email}, x@example.org`]].map(
      (value) => ({
        what: `a mail with ${field} ${JSON.stringify(value)}`,
        sent: post('/api/notifications/journal/email', {
          to: attackers.author?.email,
          subject: 'x',
          text: 'x',
          [field]: value,
        }),
      }),
    ),
  );
  const senders = ['from', 'replyTo', 'subject'].flatMap((field) =>
    [
      'x\r\nBcc: eve@example.org',
      'x\nTo: eve@example.org',
      'x\u2028Bcc: e@e.org',
      `Eve <${victim.email}>\r\n`,
    ].map((value) => ({
      what: `a mail with a line break in ${field}`,
      sent: post('/api/notifications/journal/email', {
        to: attackers.author?.email,
        subject: 'x',
        text: 'x',
        [field]: value,
      }),
      // A line separator of Unicode is a character of a subject like any other.
      refusedWith: value.includes('\u2028') ? [200, ...REFUSED] : REFUSED,
    })),
  );
  const files: Reach[] = [
    ...[file, `./${file}`, `//${file}`, `${file}/`, file.toUpperCase(), `posts/../${file}`].map((path) => ({
      what: `a removal of ${path}`,
      sent: { method: 'DELETE', path: '/api/storage/journal/remove', body: { paths: [path] } },
      // A removal says which files it has removed: none. That is looked at in the end.
      refusedWith: [200, ...REFUSED],
    })),
    ...['', '{"upsert":true}', '{"upsert":"true"}', '{"upsert":1}'].map((options) => ({
      what: `an upload over a file, ${options || 'without options'}`,
      sent: upload(file, options),
      refusedWith: [409, ...REFUSED],
    })),
    ...[file, draft].map((path) => ({
      what: `the original of ${path}`,
      sent: { path: `/api/storage/journal/original?path=${path}` },
    })),
  ];
  const accounts: Reach[] = [
    {
      what: 'a session that is not one’s own',
      sent: { method: 'DELETE', path: `/api/auth/sessions/${sidOf(victim)}` },
    },
    ...[
      'role',
      'emailVerified',
      'id',
      'email',
      'email_verified',
      'disabled',
      '__proto__',
      'sid',
      'userId',
    ].map((field) => ({
      what: `an own account with another ${field}`,
      sent: {
        method: 'PATCH',
        path: '/api/auth/me',
        body: `{"displayName":"x","${field}":"admin"}`,
        headers: { 'content-type': 'application/json' },
      },
    })),
    ...['id', 'userId', 'email', 'user_id'].map((field) => ({
      what: `the account by ${field}`,
      sent: { path: `/api/auth/users?${field}=${victim.id}` },
    })),
  ];
  const channels: Reach[] = ['post:x', 'gallery', 'private', 'user:x', 'admin', `user:${victim.id}`].flatMap(
    (channel) => [
      {
        what: `a message in ${channel}`,
        sent: post('/api/realtime/journal/publish', { channel, type: 'x', data: {}, userId: victim.id }),
        // Channels that no pattern names are for signed-in callers.
        refusedWith: /^(?:post:|gallery)/.test(channel) ? REFUSED : [200, ...REFUSED],
      },
    ],
  );
  const projects = [
    'other',
    'Journal',
    'journal%00',
    '..',
    '__proto__',
    'constructor',
    'journal/../other',
  ].flatMap((project) =>
    [`/api/db/${project}/rest/v1/journal_posts`, `/api/storage/${project}/download?path=x`].map((path) => ({
      what: path,
      sent: { path },
    })),
  );
  const keys = [
    'apikey',
    'x-api-key',
    'x-secret-key',
    'x-supabase-role',
    'x-role',
    'x-user-id',
    'cookie',
  ].map((name) => ({
    what: `the secret key as ${name}`,
    sent: {
      ...post('/api/db/journal/sql', { query: 'select 1', params: [] }),
      headers: { [name]: name === 'cookie' ? `token=${secretKey}` : secretKey },
    },
  }));
  return [
    ...deskReaches(belongings, victim.id),
    ...secretOnly,
    ...mails,
    ...senders,
    ...files,
    ...accounts,
    ...channels,
    ...projects,
    ...keys,
  ];
}

/** Returns calls of the desk for posts of the victim, and those of the people's page. */
function deskReaches({ post, draft }: Target['belongings'], victimId: string): Reach[] {
  const calls: [method: string, path: string, body?: unknown][] = [post, draft].flatMap((id) => [
    ['GET', `posts/${id}`],
    ['PUT', `posts/${id}`, {}],
    ['DELETE', `posts/${id}`],
    ['POST', `posts/${id}/discard`, {}],
    ['POST', `posts/${id}/publish`, {}],
    ['POST', `posts/${id}/unschedule`, {}],
    ['POST', `posts/${id}/unpublish`, {}],
    ['GET', `posts/${id}/revisions`],
    ['POST', `posts/${id}/revisions/1/restore`, {}],
    ['POST', `posts/${id}/preview`, { days: 1 }],
    ['DELETE', `posts/${id}/preview`],
    ['POST', `posts/${id}/translations/translate`, {}],
    ['GET', `posts/${id}/translations/job`],
    ['DELETE', `posts/${id}/translations/job`],
    ['GET', `posts/${id}/translations/de.xlf`],
    ['POST', `posts/${id}/translations/de.xlf`, {}],
  ]);
  const desk = calls.map(([method, path, body]) => ({
    what: `${method} ${path} of the desk`,
    sent: { method, path: `/api/desk/journal/${path}`, headers: { 'if-match': '"1"' }, body },
  }));
  const bulk = ['delete', 'unpublish'].map((verb) => ({
    what: `a bulk ${verb} at the desk`,
    sent: { method: 'POST', path: `/api/desk/journal/posts/${verb}`, body: { ids: [post, draft] } },
    // The response says of each post that it was refused; the rows are looked at in the end.
    refusedWith: [200, ...REFUSED],
  }));
  const people: Reach[] = [
    { what: 'the list of accounts', sent: { path: '/api/auth/people' } },
    {
      what: 'another role',
      sent: { method: 'PATCH', path: `/api/auth/people/${victimId}`, body: { role: 'reader' } },
    },
  ];
  return [...desk, ...bulk, ...people];
}

function sidOf({ token }: NonNullable<Attacker>): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    sid: string;
  };
  return claims.sid;
}

const BOUNDARY = 'attack';

/** Returns an upload to a path, as a form. */
function upload(path: string, options: string): Sent {
  const field = (name: string, value: string, file = '') =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  return {
    method: 'POST',
    path: '/api/storage/journal/upload',
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: `${field('path', path)}${options && field('options', options)}${field('file', 'taken', '; filename="a.png"')}--${BOUNDARY}--\r\n`,
  };
}

async function findHarm({ server, service, victim, belongings }: Target): Promise<string[]> {
  const harm: string[] = [];
  const rows = await (
    await service('GET', `journal_posts?user_id=eq.${victim.id}&select=id,published`)
  ).text();
  for (const row of [
    `{"id":"${belongings.post}","published":1}`,
    `{"id":"${belongings.draft}","published":0}`,
  ]) {
    if (!rows.includes(row)) harm.push(`the victim's posts are ${rows}`);
  }
  const { status, headers } = await fetch(`${server.url}/storage/journal/${belongings.file}`);
  if (status !== 200 || headers.get('content-type') !== 'image/png') {
    harm.push(`the victim's file is ${status} ${headers.get('content-type')}`);
  }
  const me = await fetch(`${server.url}/api/auth/me`, {
    headers: { authorization: `Bearer ${victim.token}` },
  });
  if (me.status !== 200) harm.push(`the victim's session is ${me.status}`);
  const mails = (await server.mailsTo(victim.email)).filter(({ subject }) => subject === 'x');
  if (mails.length > 0) harm.push(`the victim got ${mails.length} mails of the attacker`);
  return harm;
}
