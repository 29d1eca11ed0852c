import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { buildProjectsFolder } from './build-projects-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/fabrica.mjs', import.meta.url));

export const ORIGINS = {
  atlas: 'https://atlas.example.org',
  clinic: 'https://clinic.example',
  journal: 'https://reader.example',
  stranger: 'https://stranger.example',
} as const;

export interface Call {
  /** Sent as JSON, save forms. */
  body?: unknown;
  token?: string | undefined;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed where it is JSON, else as text. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
  body: any;
}

export interface Ran {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface ServedProjects extends RunningServer {
  /** Of the projects' files. */
  folder: string;
  /** `path` comes behind the origin and its slash. Redirects are not followed. */
  call(method: string, path: string, options?: Call): Promise<Answer>;
  enter(how: 'signup' | 'signin/email', projectId: string, account: Account): Promise<Answer>;
  secretOf(projectId: string): Promise<string>;
  /** Runs a program of Node to its end. */
  run(...command: string[]): Promise<Ran>;
  /** The command line, with the settings of the server. */
  fabrica(...args: string[]): Promise<Ran>;
}

export interface Account {
  email: string;
  password: string;
}

/** A server of the journal and of the projects that stand beside this file. */
export async function serveProjects(): Promise<ServedProjects> {
  const folder = await buildProjectsFolder();
  const settings = { PROJECTS_DIR: folder, ALLOWED_ORIGINS: ORIGINS.journal, SIGNUP_ROLE: 'reader' };
  const server = await startServer({ ...settings, DEMO: 'off', RATE_LIMIT: 'off', LOG_LEVEL: 'info' });
  const { url, dataDir } = server;

  const call: ServedProjects['call'] = async (method, path, { body, token, headers = {} } = {}) => {
    const isForm = body instanceof FormData || body instanceof URLSearchParams;
    const answer = await fetch(`${url}/${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const words = await answer.text();
    const isJson = words !== '' && answer.headers.get('content-type')?.includes('json');
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(words) : words };
  };

  const run: ServedProjects['run'] = async (...command) => {
    const child = spawn(process.execPath, command, {
      env: { PATH: process.env.PATH ?? '', PUBLIC_URL: url, ...server.settings, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    return { exitCode, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() };
  };

  return {
    ...server,
    folder,
    call,
    enter: (how, projectId, account) => call('POST', `api/auth/${how}`, { body: { projectId, ...account } }),
    secretOf: async (projectId) =>
      (await readFile(join(dataDir, 'keys', `project-${projectId}.secret`), 'utf8')).trim(),
    run,
    fabrica: (...args) => run(SCRIPT, ...args),
    async close() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}
