import { buildTestCli, type TestCli } from '@fabrica/backend/testing/cli/build-test-cli.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { authWriter, recordEvent } from '../services/auth/index.ts';

let cli: TestCli;
beforeEach(async () => {
  cli = await buildTestCli();
});
afterEach(() => cli.close());

const PASSWORD = 'quiet violet lantern';

async function listed(search = ''): Promise<Record<string, unknown>[]> {
  const { stdout } = await cli.run(`user list --json ${search && `--search '${search}'`}`);
  return JSON.parse(stdout);
}

describe('fabrica user set-role', () => {
  it('user create and user set-role tell all who may give roles by mail, the new and the former one too, and the audit log says so', async () => {
    /** Returns how many mails about roles each has got so far. */
    const told = async () => {
      const counts: Record<string, number> = {};
      const mails: { to: string; subject: string }[] = JSON.parse((await cli.run('outbox --json')).stdout);
      for (const { to, subject } of mails) {
        expect(subject).toBe('role-changed');
        const name = to.replace('@example.org', '');
        counts[name] = (counts[name] ?? 0) + 1;
      }
      return counts;
    };
    const create = (name: string, role: string) => cli.run(`user create ${name}@example.org --role ${role}`);
    await create('ada', 'admin');
    expect(await told()).toEqual({ ada: 1 });
    await create('bela', 'admin');
    expect(await told()).toEqual({ ada: 2, bela: 1 });
    await create('grace', 'author');
    expect(await told()).toEqual({ ada: 2, bela: 1 });
    await cli.run('user set-role grace@example.org admin');
    expect(await told()).toEqual({ ada: 3, bela: 2, grace: 1 });
    await cli.run('user set-role grace@example.org admin');
    expect(await told()).toEqual({ ada: 3, bela: 2, grace: 1 });
    await cli.run('user set-role bela@example.org reader');
    expect(await told()).toEqual({ ada: 4, bela: 3, grace: 2 });
    const events = JSON.parse((await cli.run('audit --event role-changed --json')).stdout);
    expect(events.map(({ details }: { details: object }) => details)).toEqual([
      { from: 'admin', to: 'reader', by: 'operator' },
      ...Array(3).fill({ from: 'author', to: 'admin', by: 'operator' }),
    ]);
  });

  it('user set-role takes the role of the last admin, as an operator can give it back', async () => {
    await cli.run('user create ada@example.org --role admin');
    const { exitCode, stdout } = await cli.run('user set-role ada@example.org reader');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'ada@example.org has the role reader.' });
  });
});

describe('fabrica user create', () => {
  it('user create makes an account without a password and prints the link that sets one', async () => {
    const { exitCode, stdout, stderr } = await cli.run(
      `user create ' Ada@Example.ORG ' --name 'Ada L.' --role admin`,
      { environment: { PUBLIC_URL: 'https://journal.example.org' } },
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^ada@example\.org is user_\S+, with the role admin\.$/m);
    expect(stdout).toMatch(/^https:\/\/journal\.example\.org\/auth\/reset\?token=journal\.[\w-]{43}$/m);
    expect(await listed()).toMatchObject([
      {
        email: 'ada@example.org',
        displayName: 'Ada L.',
        role: 'admin',
        emailVerified: false,
        disabledAt: null,
      },
    ]);
  });

  it('user create reads the password from standard input', async () => {
    const { exitCode, stdout } = await cli.run('user create ada@example.org --verified --password-stdin', {
      input: `${PASSWORD}\n`,
    });
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('token=');
    expect(await listed()).toMatchObject([{ role: 'author', emailVerified: true }]);
  });

  it('user create --json prints the account, the link and when it expires', async () => {
    const { stdout } = await cli.run('user create ada@example.org --json');
    const { resetUrl, expiresAt, email } = JSON.parse(stdout);
    expect(email).toBe('ada@example.org');
    expect(new URL(resetUrl).pathname).toBe('/auth/reset');
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  });

  it.each([
    ['no address', 'user create ada', '', 'Please enter a valid email address.'],
    [
      'a weak password',
      'user create ada@example.org --password-stdin',
      'password1',
      'Please choose a password',
    ],
    ['no password at all', 'user create ada@example.org --password-stdin', '', 'Please choose a password'],
    [
      'an unknown role',
      'user create ada@example.org --role king',
      '',
      'the roles are: reader, author, admin.',
    ],
    [
      'an inherited name as role',
      'user create ada@example.org --role constructor',
      '',
      'no role "constructor"',
    ],
    [
      'a name of two lines',
      `user create ada@example.org --name 'a\nb'`,
      '',
      'displayName: must have each word in one alphabet, and no control characters',
    ],
  ])('user create with %s fails and creates nothing', async (_, typed, input, sentence) => {
    const { exitCode, stdout, stderr } = await cli.run(typed, { input });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(await listed()).toEqual([]);
  });

  it('user create refuses an e-mail that has an account, in any case', async () => {
    await cli.run('user create ada@example.org');
    const { exitCode, stderr } = await cli.run('user create ADA@example.org');
    expect(exitCode).toBe(1);
    expect(stderr).toBe('An account with this email already exists.');
  });
});

describe('fabrica user list', () => {
  it('user list --search finds a part of e-mail, name or id, in any case and alphabet', async () => {
    await cli.run(`user create ada@example.org --name 'Ämilie_100%'`);
    await cli.run('user create ben@example.org');
    const emails = async (search: string) => (await listed(search)).map(({ email }) => email);
    const [{ id } = {}] = await listed('ben@');
    expect(await emails('ÄMI')).toEqual(['ada@example.org']);
    expect(await emails('BEN@EX')).toEqual(['ben@example.org']);
    expect(await emails(String(id).slice(-9))).toEqual(['ben@example.org']);
    expect(await emails('0%')).toEqual(['ada@example.org']);
    expect(await emails('n_e')).toEqual([]);
    expect(await emails('example')).toEqual(['ben@example.org', 'ada@example.org']);
  });

  it('user list prints a table and says when there are more accounts', async () => {
    await cli.run(`user create ada@example.org --name 'Ada L.'`);
    await cli.run('user create ben@example.org');
    const all = await cli.run('user list');
    expect(all.stdout.split('\n')[0]).toMatch(
      /^ID +E-MAIL +NAME +ROLE +VERIFIED +CREATED +LAST SIGN-IN +DISABLED$/,
    );
    expect(all.stdout).toMatch(
      /^user_\S+ +ada@example\.org +Ada L\. +author +no +\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ +- +-$/m,
    );
    expect(all.stderr).toBe('');
    const one = await cli.run('user list --limit 1');
    expect(one.stdout.split('\n')).toHaveLength(2);
    expect(one.stderr).toBe('1 of 2 accounts; --limit shows more.');
  });
});

describe('fabrica user factors', () => {
  it('user factors lists them, and user reset-factors removes them all with the recovery codes', async () => {
    await cli.run('user create ada@example.org');
    const [{ id } = {}] = await listed();
    await cli.withProject(async ({ database }) => {
      const row = { id: 'factor_1', user_id: String(id), name: 'My phone', created_at: 1_000, counter: 0 };
      const writer = authWriter(database);
      await writer
        .insertInto('second_factors')
        .values({ ...row, kind: 'passkey' })
        .execute();
      const code = { user_id: String(id), code_hash: 'hash', created_at: 1_000 };
      await writer.insertInto('recovery_codes').values(code).execute();
    });
    const shown = await cli.run('user factors ada@example.org');
    expect(shown.stdout).toMatch(/^factor_1 +passkey +My phone +1970-01-01 00:00:01Z +-$/m);
    expect(shown.stdout).toContain('Recovery codes that are left: 1.');
    const reset = await cli.run('user reset-factors ada@example.org');
    expect(reset.stdout).toBe('ada@example.org has no second factor any more (1 removed) and is signed out.');
    const after = JSON.parse((await cli.run('user factors ada@example.org --json')).stdout);
    expect(after).toEqual({ factors: [], recoveryCodesLeft: 0 });
    const mails = JSON.parse((await cli.run('outbox --json')).stdout);
    expect(mails).toMatchObject([{ to: 'ada@example.org', subject: 'factors-reset', state: 'waiting' }]);
    expect((await cli.run('audit --event factors-reset')).stdout).toContain('factors=1 by=operator');
  });
});

describe('fabrica user delete', () => {
  beforeEach(async () => {
    await cli.run('user create ada@example.org');
  });

  it.each(['y\n', 'YES\n'])('user delete deletes the account after the answer %j', async (input) => {
    const { exitCode, stdout, stderr } = await cli.run('user delete ada@example.org', {
      interactive: true,
      input,
    });
    expect(stderr).toContain('Delete ada@example.org and all that is its own, for good? [y/N]');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'ada@example.org is deleted.' });
    expect(await listed()).toEqual([]);
  });

  it.each(['\n', 'n\n', 'yesterday\n', ''])(
    'user delete deletes nothing after the answer %j',
    async (input) => {
      const { exitCode, stderr } = await cli.run('user delete ada@example.org', { interactive: true, input });
      expect(exitCode).toBe(1);
      expect(stderr).toContain('Nothing was deleted.');
      expect(await listed()).toHaveLength(1);
    },
  );

  it('user delete requires --yes when nobody can be asked', async () => {
    const declined = await cli.run('user delete ada@example.org', { input: 'y\n' });
    expect(declined.exitCode).toBe(1);
    expect(declined.stderr).toContain('--yes');
    expect(await listed()).toHaveLength(1);
    expect((await cli.run('user delete ada@example.org --yes')).exitCode).toBe(0);
    expect(await listed()).toEqual([]);
  });
});

describe('fabrica user verify', () => {
  it('user verify marks the e-mail as verified on the operator’s word, and notes it', async () => {
    await cli.run('user create ada@example.org');
    const { exitCode, stdout } = await cli.run('user verify ADA@example.org');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'ada@example.org is verified.' });
    expect(await listed()).toMatchObject([{ emailVerified: true }]);
    const [latest] = JSON.parse((await cli.run('audit --limit 1 --json')).stdout);
    expect(latest).toMatchObject({ event: 'email-verified', details: { by: 'operator' } });
    expect((await cli.run('user verify eve@example.org')).stderr).toContain('There is no account');
  });
});

it.each(['user disable --hide-comments', 'user delete --yes --with-comments'])(
  '%s is refused for a project without comments, and changes nothing',
  async (command) => {
    await cli.run('user create ada@example.org');
    const { exitCode, stderr } = await cli.run(`${command} ada@example.org`);
    expect(exitCode).toBe(64);
    expect(stderr).toContain('has no comments');
    expect(await listed()).toMatchObject([{ disabledAt: null }]);
  },
);

describe('fabrica audit', () => {
  it('audit lists what operators did, the newest first, also for a deleted account', async () => {
    await cli.run('user create ada@example.org');
    const [{ id } = {}] = await listed();
    await cli.run('user set-role ADA@example.org admin');
    await cli.run(`user disable ${id}`);
    await cli.run('user enable ada@example.org');
    await cli.run('user create ben@example.org');
    const ofAda = await cli.run('audit --user ada@example.org');
    const events = ofAda.stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(events.map(([, event]) => event)).toEqual([
      'EVENT',
      'user-enabled',
      'user-disabled',
      'role-changed',
      'user-created',
    ]);
    expect(ofAda.stdout).toMatch(/role-changed +ada@example\.org .*from=author to=admin by=operator$/m);

    await cli.run(`user delete ${id} --yes`);
    const [latest] = JSON.parse((await cli.run(`audit --user ${id} --limit 1 --json`)).stdout);
    expect(latest).toMatchObject({ event: 'account-deleted', userId: id });
    const ofAll = JSON.parse((await cli.run('audit --event user-created --json')).stdout);
    expect(ofAll).toHaveLength(2);
  });

  it('audit quotes a path that a stranger chose, so that it adds no details', async () => {
    const details = { method: 'GET', path: '/x code=OK by=operator\u001b[2J', code: 'FORBIDDEN' };
    const entry = { event: 'access-refused', userId: null, ip: null, device: null, details } as const;
    await cli.withProject(({ database }) => recordEvent(authWriter(database), entry));
    expect((await cli.run('audit')).stdout).toMatch(
      /method=GET path="\/x code=OK by=operator\\u001b\[2J" code=FORBIDDEN$/,
    );
  });

  it('audit prints only the headings before anything happened', async () => {
    const { exitCode, stdout } = await cli.run('audit');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'TIME  EVENT  ACCOUNT  NETWORK  DEVICE  DETAILS',
    });
  });
});
