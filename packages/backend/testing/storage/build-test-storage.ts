import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { pino } from 'pino';
import { createInProcessBus, type Row } from '../../src/core/bus.ts';
import type { Caller } from '../../src/core/caller.ts';
import { migrateToLatest, schemaOf, writeMigrations } from '../../src/database/index.ts';
import type { Project } from '../../src/database/project.ts';
import type { AppEnvironment } from '../../src/http/environment.ts';
import { presentError } from '../../src/http/present-error.ts';
import { createRateLimits } from '../../src/http/rate-limit.ts';
import { defineProject } from '../../src/project-database.ts';
import { analyticsMigrations } from '../../src/services/analytics/index.ts';
import { newUser } from '../../src/services/auth/accounts/user.ts';
import { authMigrations } from '../../src/services/auth/migrations.ts';
import { authWriter, insertUser } from '../../src/services/auth/queries.ts';
import {
  type BlobStore,
  createStorage,
  openBlobs,
  type S3Settings,
  storageMigrations,
} from '../../src/services/storage/index.ts';
import { openMigratedEngine, type TestEngine } from '../database/build-test-engine.ts';

export const PUBLIC_URL = 'https://journal.example';

interface TestOptions {
  /** Default: one of its own. It is closed with the storage. */
  engine?: TestEngine;
  s3?: S3Settings;
  quota?: number;
  wrapBlobs?: (blobs: BlobStore) => BlobStore;
}

const MIGRATIONS = { ...authMigrations, ...storageMigrations, ...analyticsMigrations, ...writeMigrations };

/**
 * Opens the storage service on a temporary folder and database, mounted as `createBackend` does it. The `x-caller`
 * header names the caller: `service` or a user's id; without it, the caller is anonymous.
 */
export async function buildTestStorage({
  engine: given,
  s3,
  quota = 0,
  wrapBlobs = (blobs) => blobs,
}: TestOptions = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'fabrica-storage-'));
  const text = { type: 'text', max: 2_000 } as const;
  const definition = defineProject({
    id: 'journal',
    tables: {
      posts: { columns: { id: text, user_id: text, image_url: text }, policies: {}, files: ['image_url'] },
    },
    roles: { author: { permissions: ['*'] } },
    signUpRole: 'author',
    origins: [],
    migrations: {},
  });
  const journal = { id: 'journal', schema: schemaOf(definition) };
  const engine = given ?? (await openMigratedEngine([{ ...journal, migrations: MIGRATIONS }]));
  const database = await engine.open(journal);
  await migrateToLatest(database, MIGRATIONS);
  await database.writer.schema
    .createTable('posts')
    .addColumn('id', 'text')
    .addColumn('user_id', 'text')
    .addColumn('image_url', 'text')
    .execute();
  const project: Project = { definition, database, secretKey: 'sk_test' };
  const projects = new Map([['journal', project]]);
  const bus = createInProcessBus();
  const { blobs, temporaryFiles } = openBlobs({ dataDir, storage: { s3 } });
  const storage = createStorage({
    blobs: wrapBlobs(blobs),
    temporaryFiles,
    publicUrl: PUBLIC_URL,
    quota,
    projects,
    bus,
    limits: createRateLimits({ enabled: false }),
    log: pino({ level: 'silent' }),
  });

  const app = new Hono<AppEnvironment>();
  app.onError((error) => presentError(error));
  app.use('/api/storage/:projectId/*', async (c, next) => {
    c.set('project', project);
    c.set('caller', callerNamed(c.req.header('x-caller')));
    await next();
  });
  app.route('/api/storage/:projectId', storage.routes);
  app.route('/storage/:projectId', storage.fileRoutes);

  return {
    app,
    engine,
    project,
    bus,
    dataDir,
    filesOnDisk: () => listFiles(join(dataDir, 'files')),
    async createPost(row: Record<'id' | 'user_id' | 'image_url', string>) {
      await database.writer.insertInto('posts').values(row).execute();
    },
    async createAccount(id: string) {
      await insertUser(authWriter(database), newUser(project, { id, email: `${id}@example.org` }));
    },
    /** Changes a row, then publishes the change, as the database service does. */
    async updatePost(before: Row, changes: Row) {
      await database.writer.updateTable('posts').set(changes).where('id', '=', before.id).execute();
      bus.publish({
        projectId: 'journal',
        table: 'posts',
        operation: 'update',
        id: String(before.id),
        changed: Object.keys(changes),
        before,
        after: { ...before, ...changes },
      });
    },
    /** Deletes a row, then publishes the change, as the database service does. */
    async deletePost(before: Row) {
      await database.writer.deleteFrom('posts').where('id', '=', before.id).execute();
      bus.publish({
        projectId: 'journal',
        table: 'posts',
        operation: 'delete',
        id: String(before.id),
        changed: [],
        before,
        after: null,
      });
    },
    saveFile: storage.saveFile,
    /** Resolves when the variants that uploads started in the background are made. */
    prepared: () => storage.prepared(),
    /** Waits for the removals in progress. */
    stop: () => storage.close(),
    async close() {
      await storage.close();
      await database.close();
      await engine.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

export type TestStorage = Awaited<ReturnType<typeof buildTestStorage>>;

export interface TestUpload {
  bytes: Uint8Array | string;
  path?: string;
  as?: string;
  fields?: Record<string, string>;
}

/** Returns the request of a browser's form, with the file first. */
export function buildUpload({ bytes, path, as = 'user_ana', fields = {} }: TestUpload): RequestInit {
  const form = new FormData();
  form.append('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), 'picture');
  if (path !== undefined) form.append('path', path);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return { method: 'POST', body: form, headers: as ? { 'x-caller': as } : {} };
}

function callerNamed(name: string | undefined): Caller {
  if (!name) return { kind: 'anonymous' };
  if (name === 'service') return { kind: 'service' };
  return { kind: 'user', id: name, email: `${name}@example.org`, displayName: null, role: 'author' };
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}
