import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { mailTo, PASSWORD, signUpPerson } from '@fabrica/backend/testing/auth/build-test-person.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGate, createGuardedFetcher } from '../../../fetcher/index.ts';

const BREACHED = 'Hearts beat 70 times';
const sha1 = (text: string) => hash('sha1', text, 'hex').toUpperCase();
const projectId = 'journal';

/** A stand-in for the range interface of Have I Been Pwned. */
describe('a list of breached passwords', () => {
  let list: Server;
  let respond: (response: ServerResponse) => void;
  let requests: IncomingMessage[];
  let test: TestAuth;
  beforeAll(async () => {
    list = createServer((request, response) => {
      requests.push(request);
      respond(response);
    });
    await new Promise<void>((resolve) => list.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    list.closeAllConnections();
    list.close();
  });
  beforeEach(async () => {
    requests = [];
    respond = (response) => response.end(`${sha1(BREACHED).slice(5)}:3\r\n${sha1(PASSWORD).slice(5)}:0`);
    const host = `127.0.0.1:${(list.address() as AddressInfo).port}`;
    const gate = createGate({ allowHosts: [host] });
    test = await buildTestAuth({
      settings: { breachedPasswordsUrl: `http://${host}` },
      fetcher: createGuardedFetcher({ gate, userAgent: 'Fabrica' }),
    });
  });
  afterEach(() => test.close());

  const signUp = (password: string) =>
    test.call('POST', '/api/auth/signup', { body: { projectId, email: 'eve@example.org', password } });

  it('a breached password is refused by every call that sets one, and padding is not', async () => {
    const ada = await signUpPerson(test);
    const proof = { password: PASSWORD };
    await test.call('POST', '/api/auth/password/reset', { body: { projectId, email: ada.email } });
    const { token } = mailTo(test, ada.email, 'reset-password');
    const refused = [
      await signUp(BREACHED),
      await ada.call('PATCH', '/api/auth/me', { password: BREACHED, proof }),
      await ada.call('POST', '/api/auth/password/change', { oldPassword: PASSWORD, newPassword: BREACHED }),
      await test.call('POST', '/api/auth/password/reset/confirm', {
        body: { projectId, token, password: BREACHED },
      }),
    ];
    expect(refused.map(({ body }) => body.code)).toEqual(Array(4).fill('WEAK_PASSWORD'));
  });

  it('the list gets five characters of the hash and nothing else of the password', async () => {
    await signUp(BREACHED);
    expect(requests.map(({ url }) => url)).toEqual([`/range/${sha1(BREACHED).slice(0, 5)}`]);
    expect(requests[0]?.headers['add-padding']).toBe('true');
    expect(JSON.stringify(requests[0]?.rawHeaders)).not.toContain(sha1(BREACHED).slice(5));
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['fails', (response) => response.writeHead(503).end()],
    ['returns something else', (response) => response.end('<html>a captive portal</html>')],
    ['breaks off', (response) => response.destroy()],
    ['does not respond', () => undefined],
  ])('a list that %s refuses nobody', async (_, act) => {
    respond = act;
    expect((await signUp(BREACHED)).status).toBe(200);
  });
});

describe('a list of breached passwords in a file', () => {
  let folder: string;
  let file: string;
  let test: TestAuth;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'breached-'));
    file = join(folder, 'pwned passwords.txt');
    test = await buildTestAuth({ settings: { breachedPasswordsUrl: pathToFileURL(file).href } });
  });
  afterEach(async () => {
    await test.close();
    await rm(folder, { recursive: true });
  });

  let accounts = 0;
  const signUp = (password: string) => {
    accounts += 1;
    const body = { projectId, email: `eve${accounts}@example.org`, password };
    return test.call('POST', '/api/auth/signup', { body });
  };
  const writeList = (passwords: readonly string[], end = '\r\n') =>
    writeFile(
      file,
      passwords
        .map((one, n) => `${sha1(one)}:${n ** 5 + 1}${end}`)
        .sort()
        .join(''),
    );

  it.each([1, 2, 3, 500])('each password of a list of %i is found, and no other', async (length) => {
    const listed = Array.from({ length }, (_, index) => `Hearts beat ${index * 7_919} times`);
    await writeList(listed, length === 3 ? '\n' : '\r\n');
    const byHash = listed.toSorted((a, b) => (sha1(a) < sha1(b) ? -1 : 1));
    for (const one of new Set([byHash[0], byHash.at(-1), ...listed.slice(0, 40)])) {
      expect((await signUp(one ?? '')).body.code).toBe('WEAK_PASSWORD');
    }
    for (const other of ['Lungs draw 12 breaths', 'Livers have 4 lobes', 'Kidneys weigh 150 grams']) {
      expect((await signUp(other)).status).toBe(200);
    }
  });

  it.each([
    ['is missing', async () => undefined],
    ['is empty', () => writeFile(file, '')],
    ['is no list of hashes', () => writeFile(file, 'password\n123456\n'.repeat(100))],
  ])('a list that %s refuses nobody', async (_, prepare) => {
    await prepare();
    expect((await signUp(BREACHED)).status).toBe(200);
  });
});
