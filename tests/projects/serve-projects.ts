import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readTestResponse, type TestResponse } from '@fabrica/backend/testing/test-response.ts';
import { secretKeyOf } from '@fabrica/test-peers/author.ts';
import type { Ran } from '@fabrica/test-peers/run-fabrica.ts';
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
  /** Sent as JSON, unless it is a form. */
  body?: unknown;
  token?: string | undefined;
  headers?: Record<string, string>;
}

export interface ServedProjects extends RunningServer {
  /** The folder of the projects' files. */
  folder: string;
  /** Sends a request to a path without its leading slash. Does not follow redirects. */
  call(method: string, path: string, options?: Call): Promise<TestResponse>;
  signInBy(how: 'signup' | 'signin/email', projectId: string, account: Account): Promise<TestResponse>;
  secretOf(projectId: string): Promise<string>;
  /** Runs a Node program to its end. */
  run(...command: string[]): Promise<Ran>;
  /** Runs the command line with the settings of the server. */
  fabrica(...args: string[]): Promise<Ran>;
}

export interface Account {
  email: string;
  password: string;
}

/** Starts a server of the journal and of the projects beside this file. */
export async function serveProjects(): Promise<ServedProjects> {
  const folder = await buildProjectsFolder();
  const settings = { PROJECTS_DIR: folder, ALLOWED_ORIGINS: ORIGINS.journal, SIGNUP_ROLE: 'reader' };
  const server = await startServer({ ...settings, DEMO: 'off', RATE_LIMIT: 'off', LOG_LEVEL: 'info' });
  const { url } = server;

  const call: ServedProjects['call'] = async (method, path, { body, token, headers = {} } = {}) => {
    const isForm = body instanceof FormData || body instanceof URLSearchParams;
    const response = await fetch(`${url}/${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...(body instanceof URLSearchParams && { origin: url }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    return readTestResponse(response);
  };

  const run: ServedProjects['run'] = async (...command) => {
    const child = spawn(process.execPath, command, {
      env: {
        PATH: process.env.PATH ?? '',
        PUBLIC_URL: url,
        FABRICA_URL: url,
        ...server.settings,
        ...settings,
      },
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
    signInBy: (how, projectId, account) =>
      call('POST', `api/auth/${how}`, { body: { projectId, ...account } }),
    secretOf: (projectId) => secretKeyOf(server, projectId),
    run,
    fabrica: (...args) => run(SCRIPT, ...args),
    async close() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}
