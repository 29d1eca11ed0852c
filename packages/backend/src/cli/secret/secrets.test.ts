import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { buildTestCli, type TestCli } from '@fabrica/backend/testing/cli/build-test-cli.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTerminal } from '../program/terminal.ts';

const VALUE = 'sk-live-0123456789';

let cli: TestCli;
beforeAll(async () => {
  cli = await buildTestCli();
});
afterAll(() => cli.close());

describe('fabrica secret', () => {
  it('secret set stores a value from standard input, secret list never shows it, and secret remove deletes it', async () => {
    expect(await cli.run('secret list')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'There are no secrets.',
    });
    const set = await cli.run('secret set api_key --host api.example.com', { input: `${VALUE}\n` });
    expect(set).toEqual({ exitCode: 0, stdout: 'api_key is kept, for api.example.com.', stderr: '' });
    const again = await cli.run(`secret set api_key --host 'a.example, b.example:8443' --json`, {
      input: VALUE,
    });
    expect(JSON.parse(again.stdout)).toEqual({ name: 'api_key', hosts: ['a.example', 'b.example:8443'] });

    const listed = await cli.run('secret list');
    expect(listed.stdout.split('\n')).toEqual([
      expect.stringMatching(/^name\s+hosts\s+set$/),
      expect.stringMatching(/^api_key\s+a\.example,b\.example:8443\s+\d{4}-/),
    ]);
    const asJson = await cli.run('secret list --json');
    expect(JSON.parse(asJson.stdout)).toEqual([
      { name: 'api_key', hosts: ['a.example', 'b.example:8443'], updatedAt: expect.any(String) },
    ]);
    expect(JSON.stringify([set, again, listed, asJson])).not.toContain(VALUE);

    expect(await cli.run('secret remove api_key')).toMatchObject({
      exitCode: 0,
      stdout: 'api_key is forgotten.',
    });
    expect(await cli.run('secret remove api_key')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('There is no secret "api_key".'),
    });
  });

  it('secret set asks for the value without showing it, and stores hosts as URLs have them', async () => {
    const hosts = 'API.Example.COM:443,api.example.com,a.example:80,bücher.example,127.1:8080,[0:0::1]:8080';
    const { exitCode, stdout, stderr } = await cli.run(`secret set api_key --host ${hosts} --json`, {
      input: `${VALUE}\n`,
      interactive: true,
    });
    expect([exitCode, stderr]).toEqual([0, 'Value of api_key (it is not shown):']);
    expect(JSON.parse(stdout).hosts).toEqual([
      'api.example.com',
      'a.example:80',
      'xn--bcher-kva.example',
      '127.0.0.1:8080',
      '[::1]:8080',
    ]);
    const entries = await readdir(cli.dataDir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(1);
    for (const { parentPath, name } of files) {
      expect((await readFile(join(parentPath, name))).includes(VALUE)).toBe(false);
    }
  });

  it.each<[string, string, string, string]>([
    ['without a host', 'secret set api_key', VALUE, 'Say where the secret may be sent to'],
    ['with no host in it', `secret set api_key --host ','`, VALUE, 'Say where the secret may be sent to'],
    ...[
      'https://api.example.com',
      'api.example.com/v1',
      '*.example.com',
      'me@example.com',
      'a b',
      'x:99999',
      'a?b',
      '%',
    ].map(
      (host) =>
        [`for ${host}`, `secret set api_key --host '${host}'`, VALUE, `"${host}" is no host`] satisfies [
          string,
          string,
          string,
          string,
        ],
    ),
    ['of no name', `secret set '1 2' --host a.example`, VALUE, 'A secret’s name is made of'],
    ['of no value', 'secret set api_key --host a.example', '\n', 'Nothing was given as its value.'],
    [
      'of a long value',
      'secret set api_key --host a.example',
      'x'.repeat(16_001),
      '16000 characters at most',
    ],
    ['of a short value', 'secret set api_key --host a.example', '1234567', '8 characters at least'],
    ['with its value in the open', `secret set api_key ${VALUE} --host a.example`, '', 'too many arguments'],
  ])('secret set refuses a secret %s', async (_, typed, input, sentence) => {
    const { exitCode, stderr } = await cli.run(typed, { input });
    expect([exitCode, stderr]).toEqual([64, expect.stringContaining(sentence)]);
  });
});

it('a terminal does not echo a hidden answer', async () => {
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode(raw: boolean) {
      modes.push(raw);
    },
  });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const terminal = openTerminal({ stdin, stdout: new PassThrough(), stderr });
  const answered = terminal.ask('Value: ', { hidden: true });
  stdin.write('tpyo\x7f\x7f\x7fyped\r');
  expect(await answered).toBe('typed');
  stderr.end();
  expect([await text(stderr), modes]).toEqual(['Value: \n', [true, false]]);
});
