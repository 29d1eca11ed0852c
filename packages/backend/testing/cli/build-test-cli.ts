import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCli } from '../../src/cli/index.ts';
import { parseConfig } from '../../src/config.ts';
import { type Keys, loadKeys } from '../../src/core/keys.ts';
import { createSqliteEngine } from '../../src/database/engines/sqlite/sqlite-engine.ts';
import { createSqliteThreads } from '../../src/database/engines/sqlite/sqlite-threads.ts';
import { openKeyStore } from '../../src/database/key-store.ts';
import type { Project } from '../../src/database/project.ts';
import { openProject } from '../../src/database/project.ts';
import { defineProject, migrationsOf } from '../../src/project-database.ts';
import { testPages as pages } from '../test-pages.ts';

export interface TestCli {
  /** The temporary folder, removed by `close`. */
  folder: string;
  /** The existing folder `<folder>/data`. */
  dataDir: string;
  /** Runs what was typed after `fabrica`. Spaces separate words; `'` keeps words together. */
  run(typed: string, options?: TestRun): Promise<Ran>;
  /** Opens the project as the server does. */
  withProject(act: (project: Project, keys: Keys) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

interface TestRun {
  /** All of standard input. */
  input?: string;
  /** Whether a person is at the terminal and types `input`. */
  interactive?: boolean;
  environment?: Record<string, string>;
}

interface Ran {
  exitCode: number;
  /** Standard output. */
  stdout: string;
  /** Standard error. */
  stderr: string;
}

/** Shared by all commands of these tests: a thread takes longer to start than most commands run. */
const threads = createSqliteThreads();

/** Builds the command line on a data folder of its own, with the project `journal` of three roles. */
export async function buildTestCli(): Promise<TestCli> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-cli-'));
  const dataDir = await mkdtemp(join(folder, 'data-'));
  return {
    folder,
    dataDir,
    async run(typed, { input = '', interactive = false, environment = {} } = {}) {
      const env: Record<string, string> = { DATA_DIR: dataDir, ...environment };
      const streams = {
        stdin: Object.assign(new PassThrough(), { isTTY: interactive }),
        stdout: new PassThrough(),
        stderr: Object.assign(new PassThrough(), { isTTY: interactive }),
      };
      const outcome = Promise.all([text(streams.stdout), text(streams.stderr)]);
      streams.stdin.end(input);
      const exitCode = await runCli({
        arguments: wordsOf(typed),
        process: { ...streams, env },
        openEngine: ({ dataDir: folder }) => createSqliteEngine(folder, { threads }),
        configure: () => ({
          pages,
          server: { script: new URL('no-server.ts', import.meta.url), pages: [] },
          config: parseConfig({ PROJECT_ID: 'journal', ...env }),
          projects: [journal(env)],
          openMails: () => async (mail) => ({ subject: mail.kind, html: '', text: mail.language }),
        }),
      });
      streams.stdout.end();
      streams.stderr.end();
      const [stdout, stderr] = await outcome;
      return { exitCode, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() };
    },
    async withProject(act) {
      const engine = createSqliteEngine(dataDir, { threads });
      const opened = await openProject({ definition: journal({}), engine, migrationsOf });
      try {
        const keys = await loadKeys(await openKeyStore(opened, { dataDir, masterKey: undefined }));
        await act({ ...opened, secretKey: await keys.projectSecret('journal') }, keys);
      } finally {
        await opened.database.close();
        await engine.close();
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

function wordsOf(typed: string): string[] {
  return [...typed.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
}

function journal({ PROJECT_ID: id = 'journal' }: Record<string, string>) {
  return defineProject({
    id,
    tables: {},
    roles: {
      reader: { permissions: [] },
      author: { permissions: ['posts'], inherits: ['reader'] },
      admin: { permissions: ['*'] },
    },
    signUpRole: 'author',
    origins: [],
    migrations: {},
  });
}
