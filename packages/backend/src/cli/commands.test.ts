import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readServerKey } from '@fabrica/backend/testing/auth/build-test-keys.ts';
import { buildTestCli, type TestCli } from '@fabrica/backend/testing/cli/build-test-cli.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Project } from '../database/project.ts';
import { createFileTransport, createMailSeal, type MailMessage } from '../mail/index.ts';
import { createAiUsage, type Outcome, type Tokens, type UsageCall } from '../services/ai/usage/ai-usage.ts';
import { findSecrets, saveSecret } from '../services/data/secrets/secrets.ts';

let cli: TestCli;
beforeEach(async () => {
  cli = await buildTestCli();
});
afterEach(() => cli.close());

describe('fabrica, typed wrongly', () => {
  it.each([
    ['usr', `error: unknown command 'usr'`],
    ['user', 'Usage: fabrica user <command> [options]'],
    ['user lst', `error: unknown command 'lst'\n(Did you mean list?)`],
    ['user set-role ada@example.org', `error: missing required argument 'role'`],
    ['user enable a b', `error: too many arguments for 'enable'.`],
    ['user list --everything', `error: unknown option '--everything'`],
    ['user list --search', `error: option '--search <text>' argument missing`],
    [
      'user list --limit 0',
      `error: option '--limit <number>' argument '0' is invalid. It must be a number from 1 to 10000.`,
    ],
    [
      'audit --event teatime',
      `error: option '--event <event>' argument 'teatime' is invalid. Allowed choices are sign-up, `,
    ],
    ['user list --project other', 'There is no project "other" here; there is: journal.'],
  ])('a usage error is explained and exits with 64: %s', async (typed, sentence) => {
    const { exitCode, stdout, stderr } = await cli.run(typed);
    expect({ exitCode, stdout }).toEqual({ exitCode: 64, stdout: '' });
    expect(stderr.startsWith(sentence)).toBe(true);
  });

  it.each(['user disable', 'user enable', 'user delete --yes', 'audit --user'])(
    '%s of an unknown account fails with a sentence',
    async (command) => {
      const { exitCode, stderr } = await cli.run(`${command} nobody@example.org`);
      expect(exitCode).toBe(1);
      expect(stderr).toBe('There is no account with the address or id "nobody@example.org".');
    },
  );
});

describe('fabrica, set up wrongly', () => {
  it('a missing data folder is named and not created', async () => {
    const nowhere = join(cli.folder, 'nowhere');
    for (const command of ['user list', 'user create ada@example.org', 'key rotate', 'outbox', 'audit']) {
      const { exitCode, stderr } = await cli.run(command, { environment: { DATA_DIR: nowhere } });
      expect(exitCode).toBe(1);
      expect(stderr).toBe(
        `There is no data folder ${nowhere}: start Fabrica once, or name its folder in DATA_DIR.`,
      );
    }
    expect(await readdir(dirname(nowhere))).not.toContain('nowhere');
  });

  it('bad settings are all listed with exit code 78, and help works without them', async () => {
    const environment = { PORT: 'eighty', PUBLIC_URL: 'nowhere' };
    const { exitCode, stderr } = await cli.run('user list', { environment });
    expect(exitCode).toBe(78);
    for (const name of Object.keys(environment)) expect(stderr).toContain(name);
    expect((await cli.run('help', { environment })).exitCode).toBe(0);
  });

  it('a damaged database is reported in a sentence', async () => {
    await writeFile(join(cli.dataDir, 'journal.sqlite'), 'no database '.repeat(500));
    const { exitCode, stderr } = await cli.run('user list');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('journal.sqlite');
    expect(stderr).toMatch(/\.$/);
  });
});

describe('fabrica help', () => {
  it('help lists every command, and shows more about one or a group of them', async () => {
    const { stdout } = await cli.run('help');
    expect((await cli.run('')).stdout).toBe(stdout);
    for (const name of ['user list', 'user create', 'key rotate', 'outbox open', 'audit']) {
      expect(stdout).toContain(`\n  ${name} `);
    }
    const ofOne = await cli.run('help user create');
    expect(ofOne.stdout).toContain('Usage: fabrica user create [options] <email>');
    expect(await cli.run('user create --help')).toEqual(ofOne);
    expect((await cli.run('outbox -h')).stdout).toContain('outbox open');
  });
});

describe('fabrica ai usage', () => {
  /** Records calls as the server does. */
  async function record(project: Project, call: Partial<UsageCall>, end: [Outcome, Tokens?]): Promise<void> {
    const usage = createAiUsage({ dailyCalls: 0, dailyTokens: 0, log: pino({ level: 'silent' }) });
    const facts = {
      project,
      caller: { kind: 'service' },
      capability: 'text',
      model: 'small',
      ...call,
    } as const;
    (await usage.begin(facts)).end(...end);
    await usage.close();
  }

  it('ai usage shows who used which models', async () => {
    await cli.run('user create ada@example.org --password-stdin', { input: 'quiet violet lantern' });
    expect(await cli.run('ai usage')).toEqual({ exitCode: 0, stdout: '', stderr: 'There were no AI calls.' });
    await cli.withProject(async (project) => {
      const [ada] = await project.database.query('SELECT id FROM users', []);
      const caller = {
        kind: 'user',
        id: String(ada?.id),
        email: '',
        displayName: null,
        role: 'author',
      } as const;
      const tokens = { inputTokens: 20, outputTokens: 30 };
      await record(project, { caller }, ['OK', tokens]);
      await record(project, { caller }, ['AI_FAILED']);
      await record(project, { capability: 'image', model: 'large' }, ['OK']);
    });
    const { exitCode, stdout } = await cli.run('ai usage --since 7d');
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['BY', 'FOR', 'MODEL', 'CALLS', 'FAILED', 'TOKENS IN', 'TOKENS OUT', 'MEAN TIME'],
      ['ada@example.org', 'text', 'small', '2', '1', '20', '30', '0.0 s'],
      ['the secret key', 'image', 'large', '1', '0', '0', '0', '0.0 s'],
      [''],
      ['3 calls, 50 tokens.'],
    ]);
    expect(JSON.parse((await cli.run('ai usage --json')).stdout)).toMatchObject({
      usage: [{ email: 'ada@example.org', calls: 2, failed: 1, inputTokens: 20 }, { userId: null }],
    });
  });

  it('ai usage --since refuses what is not an age', async () => {
    expect(await cli.run('ai usage --since soon')).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('It must be hours or days, such as 36h or 7d, and a day at least.'),
    });
  });
});

describe('fabrica outbox', () => {
  const mail = {
    to: 'ada@example.org',
    subject: 'Your link',
    html: '<p>Hello <b>Ada</b></p>',
    text: 'Hello Ada',
  };

  const keep = (...subjects: string[]) => keepMails(subjects.map((subject) => ({ ...mail, subject })));

  async function keepMails(mails: readonly MailMessage[]): Promise<void> {
    const folder = join(cli.dataDir, 'outbox');
    await cli.withProject(async (_, keys) => {
      const seal = createMailSeal(keys);
      const transport = createFileTransport({ folder, from: 'mail@example.org', seal });
      for (const one of mails) await transport.send(one);
      await transport.close();
    });
  }

  it('outbox lists mails, the newest first, and shows one by its number or id', async () => {
    await keep('First', 'Second', 'Third');
    const list = await cli.run('outbox --limit 2');
    expect(list.stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['NUMBER', 'TIME', 'STATE', 'TO', 'SUBJECT'],
      ['1', expect.stringMatching(/Z$/), 'kept', 'ada@example.org', 'Third'],
      ['2', expect.stringMatching(/Z$/), 'kept', 'ada@example.org', 'Second'],
    ]);
    expect(list.stderr).toBe('2 of 3 mails; --limit shows more.');
    const byNumber = await cli.run('outbox open 2 --text');
    expect(byNumber.stdout).toContain('To: ada@example.org\n');
    expect(byNumber.stdout).toContain('Subject: Second\n\nHello Ada');
    const [, { id }] = JSON.parse((await cli.run('outbox list --json')).stdout);
    expect(await cli.run(`outbox open ${id}`)).toEqual(byNumber);
  });

  it.each(['0', '4', 'third'])('outbox open says that there is no mail %s', async (asked) => {
    await keep('First');
    const { exitCode, stderr } = await cli.run(`outbox open ${asked}`);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(`There is no mail "${asked}": name a number from 1 to 1, or an id.`);
  });

  it('outbox open says that the outbox is empty', async () => {
    expect((await cli.run('outbox')).exitCode).toBe(0);
    expect((await cli.run('outbox open 1')).stderr).toBe('The outbox is empty.');
  });

  it('outbox reports a damaged mail and lists the others', async () => {
    await keep('First', 'Second');
    const folder = join(cli.dataDir, 'outbox');
    const [oldest = ''] = (await readdir(folder)).sort();
    await writeFile(join(folder, oldest), '{');
    const { stdout, stderr } = await cli.run('outbox');
    expect(stdout).toContain('Second');
    expect(stderr).toBe(`The mail ${join(folder, oldest)} is damaged.`);
  });

  it('outbox open removes control characters from a mail', async () => {
    await keepMails([{ ...mail, text: 'one\n\u001b[2Jtwo \u202Eeerht' }]);
    expect((await cli.run('outbox open 1')).stdout).toMatch(/one\n\uFFFD\[2Jtwo \uFFFDeerht$/);
  });

  describe('where there is a display', () => {
    /** A stand-in for the desktop's own opener, found in the PATH before it. */
    async function desktop(script: string): Promise<Record<string, string>> {
      const programs = join(cli.folder, 'programs');
      await mkdir(programs);
      await writeFile(join(programs, 'xdg-open'), `#!/bin/sh\n${script}\n`);
      await chmod(join(programs, 'xdg-open'), 0o755);
      return { DISPLAY: ':0', PATH: `${programs}:${process.env.PATH}` };
    }

    it.runIf(process.platform === 'linux')(
      'outbox open opens the mail as a page that only its owner may read',
      async () => {
        await keep('First');
        const shown = join(cli.folder, 'shown');
        const { exitCode, stdout, stderr } = await cli.run('outbox open 1', {
          environment: await desktop(`echo "$1" > ${shown}`),
        });
        expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
        const path = (await readFile(shown, 'utf8')).trim();
        expect(stderr).toBe(`Opened ${path}`);
        const page = await readFile(path, 'utf8');
        expect(page).toContain(mail.html);
        expect(page.indexOf("default-src 'none'")).toBeLessThan(page.indexOf(mail.html));
        expect((await stat(path)).mode & 0o777).toBe(0o600);
        await rm(dirname(path), { recursive: true });
      },
    );

    it.runIf(process.platform === 'linux')(
      'outbox open prints the mail when no program can open it',
      async () => {
        await keep('First');
        const { stdout } = await cli.run('outbox open 1', { environment: await desktop('exit 3') });
        expect(stdout).toContain('Hello Ada');
      },
    );
  });
});

describe('fabrica key rotate', () => {
  const kids = async () => {
    const { keys } = JSON.parse(await readServerKey({ DATA_DIR: cli.dataDir }, 'signing'));
    return keys.length;
  };

  it('key rotate adds a new key, and with --revoke replaces the old ones', async () => {
    const { exitCode, stdout } = await cli.run('key rotate');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^[\w-]{43}$/);
    expect(await kids()).toBe(2);
    const second = JSON.parse((await cli.run('key rotate --revoke --json')).stdout);
    expect(second.kid).not.toBe(stdout);
    expect(await kids()).toBe(1);
    const events = JSON.parse((await cli.run('audit --event key-rotated --json')).stdout);
    expect(events.map(({ details }: { details: unknown }) => details)).toMatchObject([
      { kid: second.kid, revoke: true },
      { kid: stdout, revoke: false },
    ]);
  });
});

describe('fabrica key rotate --key', () => {
  const keysOf = async (name: string) =>
    JSON.parse(await readServerKey({ DATA_DIR: cli.dataDir }, name)).keys as { key: string }[];

  it('key rotate --key secrets seals the secrets of the project anew, and they stay what they were', async () => {
    const secret = { name: 'api_key', value: 'a secret value', hosts: ['api.example.com'] };
    await cli.withProject((project, keys) => saveSecret(project, keys.secretsKeys, secret));
    const sealed: unknown[] = [];
    for (let rotation = 0; rotation < 3; rotation += 1) {
      expect(await cli.run('key rotate --key secrets')).toMatchObject({ exitCode: 0 });
      await cli.withProject(async (project, keys) => {
        expect(await findSecrets(project, keys.secretsKeys, ['api_key'])).toEqual([secret]);
        const newest = { ...keys.secretsKeys, all: [keys.secretsKeys.current] };
        expect(await findSecrets(project, newest, ['api_key'])).toEqual([secret]);
        sealed.push(...(await project.database.query('select sealed from secrets', [])));
      });
    }
    expect(new Set(sealed.map((row) => JSON.stringify(row))).size).toBe(3);
    expect(await keysOf('secrets')).toHaveLength(2);
    await cli.run('key rotate --key secrets --revoke');
    expect(await keysOf('secrets')).toHaveLength(1);
  });

  it('key rotate --key refresh keeps the former key, without --revoke, and is in the audit log', async () => {
    await cli.run('key rotate --key refresh');
    expect(await keysOf('refresh')).toHaveLength(2);
    await cli.run('key rotate --key refresh --revoke');
    expect(await keysOf('refresh')).toHaveLength(1);
    const events = JSON.parse((await cli.run('audit --event key-rotated --json')).stdout);
    expect(events.map(({ details }: { details: unknown }) => details)).toMatchObject([
      { key: 'refresh', revoke: true },
      { key: 'refresh', revoke: false },
    ]);
    const both = await cli.run('key rotate --key refresh --secret-key');
    expect(both).toMatchObject({ exitCode: 64 });
  });
});

describe('fabrica key reset', () => {
  it('key reset is the way out when the secret that opens the keys is lost', async () => {
    const { stdout: before } = await cli.run('key show');
    await rm(join(cli.dataDir, 'keys', 'master.key'));
    const lost = await cli.run('key show');
    expect(lost).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('sealed with a secret that is not here'),
    });
    expect(await cli.run('key reset')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('say so with --yes'),
    });
    const { removed } = JSON.parse((await cli.run('key reset --yes --json')).stdout);
    expect(removed).toContain('signing');
    const { stdout: after } = await cli.run('key show');
    expect(after).toMatch(/^sk_/);
    expect(after).not.toBe(before);
  });
});

describe('fabrica compact', () => {
  it('compact takes the room of deleted rows from the file, and says how much', async () => {
    await cli.withProject(async ({ database }) => {
      const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO sheets SELECT i, hex(zeroblob(2500)) FROM n`;
      for (const text of ['CREATE TABLE sheets (id, text)', rows, 'DELETE FROM sheets'])
        await sql.raw(text).execute(database.writer);
    });
    const size = async () => (await stat(join(cli.dataDir, 'journal.sqlite'))).size;
    const before = await size();
    const { before: had, after } = JSON.parse((await cli.run('compact --json')).stdout);
    expect(had).toBe(before);
    expect(after).toBeLessThan(before / 5);
    expect(await size()).toBe(after);
    expect((await cli.run('compact')).stdout).toMatch(/^The database of "journal" had .+ and has .+\.$/);
  });
});
