import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  FIREFOX,
  mailTo,
  noticesTo,
  PASSWORD,
  signUpPerson,
} from '@fabrica/backend/testing/auth/build-test-person.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const email = 'ada@example.org';

describe('mails about new devices', () => {
  let test: TestAuth;
  beforeEach(async () => {
    test = await buildTestAuth({ rateLimit: true });
    await signUpPerson(test, email);
  });
  afterEach(() => test.close());

  const signIn = (ip: string, userAgent: string, cookie = '') =>
    test.call('POST', '/api/auth/signin/email', {
      ip,
      headers: { 'user-agent': userAgent, cookie },
      body: { projectId: 'journal', email, password: PASSWORD },
    });
  const deviceCookie = (headers: Headers) => (headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';

  it.each([
    ['another browser', '203.0.113.1', CHROME, ['new-device']],
    ['another network', '198.51.100.7', FIREFOX, ['new-device']],
    ['the browser and network of the sign-up', '203.0.113.1', FIREFOX, []],
  ])('a sign-in from %s: which mails the owner gets', async (_, ip, userAgent, notices) => {
    await signIn(ip, userAgent);
    await signIn(ip, userAgent);
    expect(noticesTo(test, email)).toEqual(notices);
  });

  it('a known browser may move, and nobody is notified', async () => {
    const { headers } = await signIn('198.51.100.7', CHROME);
    await signIn('192.0.2.9', CHROME, deviceCookie(headers));
    expect(noticesTo(test, email)).toEqual(['new-device']);
    expect(test.mails.find(({ kind }) => kind === 'new-device')).toMatchObject({
      device: 'Chrome, Linux',
      language: 'de',
    });
  });

  it('a sign-in by mail and a wrong password notify nobody', async () => {
    await test.call('POST', '/api/auth/signin/magic', { body: { projectId: 'journal', email } });
    const { token } = mailTo(test, email, 'magic-link');
    const body = { projectId: 'journal', token };
    expect((await test.call('POST', '/api/auth/signin/magic/verify', { body, ip: '192.0.2.9' })).status).toBe(
      200,
    );
    const wrong = { projectId: 'journal', email, password: 'wrong' };
    await test.call('POST', '/api/auth/signin/email', { body: wrong, ip: '192.0.2.10' });
    expect(noticesTo(test, email)).toEqual([]);
  });

  it('an address gets six such mails an hour, for it may be a stranger’s', async () => {
    for (let n = 0; n < 9; n += 1) expect((await signIn(`10.0.${n}.1`, CHROME)).status).toBe(200);
    expect(noticesTo(test, email)).toHaveLength(6);
  });
});
