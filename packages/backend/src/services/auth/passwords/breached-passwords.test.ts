import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
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
