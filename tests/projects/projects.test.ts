import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blockOfDocs } from './build-projects-folder.ts';
import { ORIGINS, type ServedProjects, serveProjects } from './serve-projects.ts';

const SOON = { timeout: 30_000, interval: 100 };

let projects: ServedProjects;
beforeAll(async () => {
  projects = await serveProjects();
});
afterAll(() => projects.close());

describe('the example of docs/projects.md', () => {
  it('the example of docs/projects.md works word for word', async () => {
    const script = join(projects.folder, '.try-atlas.mjs');
    const program = await blockOfDocs('js');
    expect(program).toContain("'http://localhost:3000'");
    await writeFile(script, program.replace('http://localhost:3000', projects.url));
    const { exitCode, stdout, stderr } = await projects.run(script);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(`${stdout}\n`).toBe(await blockOfDocs('text'));
  });

  it('the lines of docs/projects.md for the public client send nothing to another host', async () => {
    const lines = await blockOfDocs('js', '## The public client');
    expect(lines).toContain("'http://localhost:3000'");
    const program = `${lines}\n${await readFile(new URL('call-everything.mjs', import.meta.url), 'utf8')}`;
    const script = join(projects.folder, '.try-client.mjs');
    await writeFile(script, program.replace('http://localhost:3000', projects.url));
    await symlink(
      fileURLToPath(new URL('../../node_modules', import.meta.url)),
      join(projects.folder, 'node_modules'),
    );
    const watch = new URL('watch-hosts.mjs', import.meta.url).href;
    const { exitCode, stdout, stderr } = await projects.run('--import', watch, script);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { host } = new URL(projects.url);
    const asked = stdout.split('\n').map((line) => line.split(' '));
    expect(asked.filter(([where]) => where !== host)).toEqual([]);
    const paths = asked.map(([, path = '']) => path.split('/').slice(0, 3).join('/'));
    const services = ['auth', 'db', 'storage', 'ai', 'data', 'notifications', 'realtime', 'analytics'];
    expect(paths).toEqual(expect.arrayContaining(['/', ...services.map((name) => `/api/${name}`)]));
  });
});

describe('two projects', () => {
  const email = 'grace@example.org';
  const passwords = { atlas: 'seven small bones', clinic: 'twelve quiet rooms' };
  /** The session of the account in each project. */
  const sessions: Record<
    string,
    { access_token: string; refresh_token: string; user: { id: string; role: string } }
  > = {};
  const tokenOf = (projectId: string) => sessions[projectId]?.access_token ?? '';
  const userOf = (projectId: string) => sessions[projectId]?.user.id ?? '';

  beforeAll(async () => {
    for (const [projectId, password] of Object.entries(passwords)) {
      const { status, body } = await projects.signInBy('signup', projectId, { email, password });
      expect(status).toBe(200);
      sessions[projectId] = body;
    }
  });

  it('a project gives new accounts its own role, and SIGNUP_ROLE applies to the journal alone', async () => {
    expect(sessions.atlas?.user.role).toBe('member');
    expect(sessions.clinic?.user.role).toBe('nurse');
    const { body } = await projects.signInBy('signup', 'journal', { email, password: passwords.atlas });
    expect(body.user.role).toBe('reader');
  });

  it.each([
    ['GET', 'api/db/clinic/rest/v1/plates'],
    ['POST', 'api/db/clinic/rest/v1/plates'],
    ['PATCH', 'api/db/clinic/rest/v1/plates?id=eq.1'],
    ['DELETE', 'api/db/clinic/rest/v1/plates?id=eq.1'],
    ['POST', 'api/db/clinic/sql'],
    ['POST', 'api/db/clinic/batch'],
    ['GET', 'api/storage/clinic/download?path=a.txt'],
    ['POST', 'api/storage/clinic/upload'],
    ['DELETE', 'api/storage/clinic/remove'],
    ['POST', 'api/ai/clinic/text'],
    ['GET', 'api/db/journal/rest/v1/journal_posts'],
    ['GET', 'api/db/notices/rest/v1/notices'],
  ])('a token or a key of another project is refused: %s %s', async (method, path) => {
    const body = method === 'GET' ? {} : { body: { id: '1' } };
    for (const token of [tokenOf('atlas'), await projects.secretOf('atlas')]) {
      const response = await projects.call(method, path, { token, ...body });
      expect([response.status, response.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    }
  });

  it('the key of another project generates no sign-in or reset links', async () => {
    const token = await projects.secretOf('atlas');
    const body = { email, projectId: 'clinic' };
    for (const path of ['password/reset/generate', 'signin/magic/generate']) {
      expect((await projects.call('POST', `api/auth/${path}`, { token, body })).status).toBe(401);
      const own = await projects.call('POST', `api/auth/${path}`, {
        token: await projects.secretOf('clinic'),
        body,
      });
      expect(own.status).toBe(200);
    }
    // This call names no project, so it applies to the key's own.
    const { body: link } = await projects.call('POST', 'api/auth/email/verify/generate', { token, body });
    expect(link.token).toMatch(/^atlas\./);
  });

  it('SQL of a project reaches no rows or files of another project', async () => {
    const token = await projects.secretOf('clinic');
    const ask = (query: string) => projects.call('POST', 'api/db/clinic/sql', { token, body: { query } });
    expect((await ask('select count(*) from plates')).status).toBe(200);
    for (const query of [
      'select * from notes',
      'select * from project_atlas.notes',
      'select * from "project_atlas"."users"',
      'select * from fabrica.roles',
      'set role postgres',
      `attach database '${projects.dataDir}/atlas.sqlite' as other`,
      `select readfile('${projects.dataDir}/atlas.sqlite')`,
      `select load_extension('${projects.dataDir}/x')`,
      `select pg_read_file('${projects.dataDir}/keys/master.key')`,
      `copy plates from '${projects.dataDir}/keys/master.key'`,
      `vacuum into '${projects.dataDir}/copy.sqlite'`,
    ]) {
      const { status, body } = await ask(query);
      expect([query, status < 500 && status >= 400, body.rows]).toEqual([query, true, undefined]);
    }
    expect(await readdir(projects.dataDir)).not.toContain('copy.sqlite');
  });

  it('two projects keep files of the same path apart', async () => {
    const upload = (projectId: string, content: string) => {
      const body = new FormData();
      body.set('path', 'notes/day.txt');
      body.set('file', new File([content], 'day.txt', { type: 'text/plain' }));
      return projects.call('POST', `api/storage/${projectId}/upload`, { token: tokenOf(projectId), body });
    };
    for (const projectId of ['atlas', 'clinic'])
      expect((await upload(projectId, projectId)).status).toBe(200);
    expect((await projects.call('GET', 'storage/atlas/notes/day.txt')).body).toBe('atlas');
    expect((await projects.call('GET', 'storage/clinic/notes/day.txt')).body).toBe('clinic');
    const remove = (projectId: string, paths: string[]) =>
      projects.call('DELETE', `api/storage/${projectId}/remove`, {
        token: tokenOf('clinic'),
        body: { paths },
      });
    expect((await remove('atlas', ['notes/day.txt'])).status).toBe(401);
    for (const path of ['../atlas/notes/day.txt', '/storage/atlas/notes/day.txt']) {
      expect((await remove('clinic', [path])).status).toBe(400);
    }
    // A row may name a file of another project, which is not removed with it.
    const row = {
      id: 'thief',
      user_id: userOf('clinic'),
      title: 'x',
      image_url: '/storage/atlas/notes/day.txt',
    };
    const rows = 'api/db/clinic/rest/v1/plates';
    expect((await projects.call('POST', rows, { token: tokenOf('clinic'), body: row })).status).toBe(201);
    await projects.call('DELETE', `${rows}?id=eq.thief`, { token: tokenOf('clinic') });
    expect((await remove('clinic', ['notes/day.txt'])).body).toEqual({ removed: ['notes/day.txt'] });
    expect((await projects.call('GET', 'storage/clinic/notes/day.txt')).status).toBe(404);
    expect((await projects.call('GET', 'storage/atlas/notes/day.txt')).body).toBe('atlas');
  });

  it('a project writes mails in one of its own languages', async () => {
    const languageOf = async (projectId: string, email: string) => {
      await projects.call('POST', 'api/auth/signin/magic', {
        body: { projectId, email },
        headers: { 'accept-language': 'es, fr;q=0.5' },
      });
      await expect.poll(() => projects.mailsTo(email), SOON).toHaveLength(1);
      const [mail] = await projects.mailsTo(email);
      return /[?&]lang=(\w+)/.exec(mail?.text ?? '')?.[1];
    };
    expect(await languageOf('atlas', 'mail-1@example.org')).toBe('en');
    expect(await languageOf('clinic', 'mail-2@example.org')).toBe('fr');
    expect(await languageOf('journal', 'mail-3@example.org')).toBe('es');
  });
});

describe('the sign-in pages for a project', () => {
  const account = { email: 'emmy@example.org', password: 'rings and their ideals' };
  let token: string;
  beforeAll(async () => {
    ({ access_token: token } = (await projects.signInBy('signup', 'clinic', account)).body);
  });
  const leadingTo = (redirect_url: string, project_id = 'clinic') =>
    `auth?${new URLSearchParams({ project_id, redirect_url, state: 's' })}`;
  const generate = async (path: string, more = {}) => {
    const body = { email: account.email, projectId: 'clinic', ...more };
    return (
      await projects.call('POST', `api/auth/${path}`, { token: await projects.secretOf('clinic'), body })
    ).body;
  };
  /** Returns the path and query of a mail's link. */
  const pageOf = (link: string) => link.slice(projects.url.length + 1);

  it('the sign-in page hands a session to a page of the project’s origins alone', async () => {
    const form = { body: new URLSearchParams({ ...account, intent: 'sign-in' }) };
    const page = await projects.call('GET', leadingTo(`${ORIGINS.clinic}/in`));
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${ORIGINS.clinic};`);
    const response = await projects.call('POST', leadingTo(`${ORIGINS.clinic}/in`), form);
    expect(response.status).toBe(303);
    const { origin, searchParams } = new URL(response.headers.get('location') ?? '');
    expect([origin, searchParams.get('project_id')]).toEqual([ORIGINS.clinic, 'clinic']);
    const { body } = await projects.call('GET', 'api/auth/me', {
      token: searchParams.get('access_token') ?? '',
    });
    expect(body.user.email).toBe(account.email);

    for (const [origin, projectId] of [
      [ORIGINS.atlas, 'clinic'],
      [ORIGINS.journal, 'clinic'],
      [ORIGINS.clinic, 'journal'],
      [ORIGINS.clinic, 'nowhere'],
    ] as const) {
      expect((await projects.call('GET', leadingTo(`${origin}/in`, projectId))).status).toBe(400);
      expect((await projects.call('POST', leadingTo(`${origin}/in`, projectId), form)).status).toBe(400);
    }
  });

  it('the sign-in page starts no session of a project for the journal’s site', async () => {
    expect((await projects.call('GET', 'auth?project_id=clinic')).status).toBe(400);
    const { magicUrl } = await generate('signin/magic/generate');
    const { body } = await projects.call('GET', pageOf(magicUrl));
    expect(body).toContain('data-project="journal"');
  });

  it('the pages of mails spend tokens of a project or hand them on to its site', async () => {
    const { verifyUrl } = await generate('email/verify/generate');
    // Without the account's password, its sessions would end.
    const confirm = { body: new URLSearchParams({ intent: 'confirm', ownPassword: account.password }) };
    expect((await projects.call('POST', pageOf(verifyUrl), confirm)).status).toBe(200);
    expect((await projects.call('GET', 'api/auth/me', { token })).body.user.emailVerified).toBe(true);

    const { resetUrl } = await generate('password/reset/generate');
    const password = 'fields and their rings';
    const save = { body: new URLSearchParams({ intent: 'save', password }) };
    expect((await projects.call('POST', pageOf(resetUrl), save)).status).toBe(200);
    expect((await projects.signInBy('signin/email', 'clinic', { ...account, password })).status).toBe(200);

    const redirectUrl = `${ORIGINS.clinic}/mail`;
    const onward = { body: new URLSearchParams({ intent: 'onward' }) };
    const magic = await generate('signin/magic/generate', { redirectUrl });
    const handed = await projects.call('POST', pageOf(magic.magicUrl), onward);
    expect(handed.headers.get('location')).toBe(`${redirectUrl}?magic_token=${magic.token}`);
  });
});

describe('fabrica --project', () => {
  it('the command line with --project works on the accounts and roles of that project', async () => {
    const email = 'rosalind@example.org';
    expect(
      (await projects.fabrica('user', 'create', email, '--project', 'clinic', '--role', 'doctor')).exitCode,
    ).toBe(0);
    const list = async (...project: string[]) =>
      (await projects.fabrica('user', 'list', '--search', email, ...project)).stdout;
    expect(await list('--project', 'clinic')).toMatch(/rosalind@example\.org .* doctor /);
    expect(await list('--project', 'atlas')).not.toContain(email);
    expect(await list()).not.toContain(email);
    const { exitCode, stderr } = await projects.fabrica(
      'user',
      'set-role',
      email,
      'author',
      '--project',
      'clinic',
    );
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('nurse, doctor')]);
    expect(
      (await projects.fabrica('audit', '--project', 'clinic', '--event', 'user-created')).stdout,
    ).toContain(email);
  });

  it('the command line lists all projects when it is given an unknown one', async () => {
    const { exitCode, stderr } = await projects.fabrica('user', 'list', '--project', 'atals');
    expect([exitCode, stderr]).toEqual([
      64,
      expect.stringContaining('There is no project "atals" here; there is: journal, atlas, clinic, notices.'),
    ]);
  });
});

it('the server logs at start its projects and the tables without policies', () => {
  const lines = projects
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  expect(lines.find(({ projects }) => projects)).toMatchObject({
    projects: ['journal', 'atlas', 'clinic', 'notices'],
  });
  expect(lines.filter(({ tables, project }) => tables && project !== 'journal')).toEqual([
    expect.objectContaining({
      project: 'clinic',
      tables: ['drafts'],
      msg: 'No policy names these tables: they are closed to all but the secret key',
    }),
  ]);
});
