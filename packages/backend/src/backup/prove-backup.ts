import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ProjectDefinition } from '../core/project.ts';
import type { Environment } from '../core/settings.ts';
import { createSqliteLocation, openSqliteSnapshot, sumsOf } from '../database/transfer/index.ts';
import { openBlobs } from '../services/storage/index.ts';
import { differencesOf } from './check-backup.ts';
import { folderGuard } from './guard.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';

/** The server that is started on a restored backup. */
export interface ProvingServer {
  /** The module that starts it. */
  script: URL;
  /** Paths of pages that must be served. */
  pages: readonly string[];
}

interface ProveOptions {
  folder: string;
  manifest: Manifest;
  definitions: readonly ProjectDefinition[];
  mainId: string;
  server: ProvingServer;
  /** The settings of the installation; those that lead to its other parts are not passed on. */
  environment: Environment;
}

/** Names what a proof tries, one after the other. */
export const PROOF_CHECKS = ['restore', 'rows', 'server', 'pages', 'accounts'] as const;
type ProofCheck = (typeof PROOF_CHECKS)[number];

/** A check of a proof that failed. Its message is a sentence that says which one, and why. */
export class ProofError extends Error {
  readonly check: ProofCheck;

  constructor(check: ProofCheck, reason: string, options?: ErrorOptions) {
    super(`Its check "${check}" failed: ${reason}`, options);
    this.name = 'ProofError';
    this.check = check;
  }
}

/** Settings that a server needs to run this installation's projects, within its memory, and that lead to nobody else. */
const PASSED_ON =
  /^(PATH|HOME|TMPDIR|PROJECT_ID|PROJECTS_DIR|SIGNUP_ROLE|MASTER_KEY|MASTER_KEY_FILE|NODE_OPTIONS|NODE_COMPILE_CACHE|MALLOC_\w+)$/;
const START_MS = 120_000;
const REQUEST_MS = 30_000;
/** Characters of a failed response, and of what a server has printed at last, that a reason has. */
const LONGEST_REASON = 600;

/**
 * Restores a backup into a folder of its own, compares the rows of every table, starts a server on it, opens pages and signs
 * somebody in, and notes in the backup's manifest that this was done. Throws a `ProofError` when any of it fails. Nothing else of it
 * is left.
 */
export async function proveBackup(options: ProveOptions): Promise<void> {
  const { folder, manifest, definitions, mainId } = options;
  // Where a backup has room, a second one may have: a folder for temporary files is often small, or in memory.
  const dataDir = await mkdtemp(join(dirname(folder), '.proof-'));
  const location = createSqliteLocation(dataDir);
  try {
    const blobs = { dataDir, storage: { s3: undefined } } as Parameters<typeof openBlobs>[0];
    const restoring = restoreBackup({
      folder,
      definitions,
      only: undefined,
      mainId,
      location,
      guard: folderGuard(dataDir),
      openBlobs: () => openBlobs(blobs),
      dataDir,
      replace: false,
      leaveOut: [],
    });
    await check('restore', restoring);
    await check('rows', compareRows(dataDir, manifest));
    await tryServer(dataDir, options);
    await writeManifest(folder, { ...manifest, provedAt: new Date().toISOString() });
  } finally {
    await location.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Waits for a check. What it throws is thrown with the name of the check and the error's causes. */
async function check(name: ProofCheck, running: Promise<unknown>): Promise<void> {
  try {
    await running;
  } catch (error) {
    throw new ProofError(name, reasonOf(error), { cause: error });
  }
}

/** Returns the messages of an error and of its causes: `fetch failed` alone says nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause === undefined ? message : `${message} (${reasonOf(cause)})`;
}

async function compareRows(dataDir: string, { projects }: Manifest): Promise<void> {
  for (const { id, tables } of projects) {
    const snapshot = openSqliteSnapshot(join(dataDir, `${id}.sqlite`));
    try {
      const differences = differencesOf(tables, await sumsOf(snapshot));
      if (differences.length === 0) continue;
      throw new Error(`Restored, the tables of project "${id}" are others: ${differences.join(', ')}.`);
    } finally {
      await snapshot.close();
    }
  }
}

async function tryServer(dataDir: string, { server, environment, mainId }: ProveOptions): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const passedOn = Object.entries(environment).filter(([name]) => PASSED_ON.test(name));
  const child = spawn(process.execPath, [fileURLToPath(server.script)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Object.fromEntries(passedOn),
      DATA_DIR: dataDir,
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: url,
      DEMO: 'off',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
    },
  });
  // The log has the reasons of failures, and goes to stdout.
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      printed = (printed + chunk).slice(-LONGEST_REASON);
    });
  }
  try {
    await check('server', untilReady(url, child));
    for (const page of server.pages)
      await check('pages', requireOk(`The page ${page}`, fetchWithin(`${url}${page}`)));
    await check('accounts', signIn(url, mainId));
  } catch (error) {
    if (error instanceof ProofError && printed !== '') error.message += ` The server says: ${printed.trim()}`;
    throw error;
  } finally {
    const ended = hasEnded(child) ? undefined : once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS;
  let seen = 'it does not respond';
  while (Date.now() < deadline && !hasEnded(child)) {
    const response = await fetchWithin(`${url}/readyz`).catch(() => undefined);
    const body = await response?.text().catch(() => '');
    if (response?.ok) return;
    if (response) seen = `/readyz has the status ${response.status}: ${body}`;
    await wait(100);
  }
  if (hasEnded(child))
    throw new Error(`The server on the restored backup ended with ${child.exitCode ?? child.signalCode}.`);
  const seconds = START_MS / 1_000;
  throw new Error(`The server on the restored backup is not ready after ${seconds} s: ${seen}.`);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Creates an account and signs it in: with the restored keys, on the restored tables. */
async function signIn(url: string, projectId: string): Promise<void> {
  const credentials = {
    projectId,
    email: `proof-${randomBytes(6).toString('hex')}@example.org`,
    password: randomBytes(18).toString('base64url'),
  };
  const post = (path: string) =>
    fetchWithin(`${url}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credentials),
    });
  await requireOk('A sign-up', post('signup'));
  await requireOk('A sign-in', post('signin/email'));
}

async function requireOk(what: string, responding: Promise<Response>): Promise<void> {
  const response = await responding;
  const body = await response.text();
  if (response.ok) return;
  throw new Error(`${what} has the status ${response.status}: ${body.slice(0, LONGEST_REASON)}`);
}

function fetchWithin(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_MS) });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
