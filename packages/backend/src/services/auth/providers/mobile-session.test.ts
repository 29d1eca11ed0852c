import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const ID = 'f3b6c0de-4711-4e5f-9a0b-app_session';

describe('sessions for apps', () => {
  let test: TestAuth;
  let ada: { access_token: string; user: { id: string } };
  beforeEach(async () => {
    test = await buildTestAuth();
    ada = await signUp('ada@example.org');
  });
  afterEach(async () => {
    vi.useRealTimers();
    await test.close();
  });

  const signUp = async (email: string, projectId = 'journal') =>
    (
      await test.call('POST', '/api/auth/signup', {
        body: { projectId, email, password: 'Lungs draw 12 breaths' },
      })
    ).body;
  const poll = (id = ID) => test.call('GET', `/api/auth/mobile-session/${id}`);
  const offer = ({ access_token }: { access_token: string }, id = ID) =>
    test.call('POST', `/api/auth/mobile-session/${id}`, {
      headers: { authorization: `Bearer ${access_token}` },
    });

  it('an app’s session is pending until somebody signs in for it, and is handed out once', async () => {
    const pending = await poll();
    expect([pending.status, pending.body]).toEqual([202, { status: 'pending' }]);
    const offered = await offer(ada);
    expect([offered.status, offered.body]).toEqual([200, { success: true }]);
    const { status, body } = await poll();
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', user: { id: ada.user.id } });
    expect((await poll()).status).toBe(202);
  });

  it('an app’s session stays open when the browser’s session ends', async () => {
    await offer(ada);
    const headers = { authorization: `Bearer ${ada.access_token}` };
    await test.call('POST', '/api/auth/logout', { headers });
    const { body } = await poll();
    const own = { authorization: `Bearer ${body.access_token}` };
    const { body: list } = await test.call('GET', '/api/auth/sessions', { headers: own });
    expect(list.sessions).toMatchObject([{ method: 'hand-over', current: true }]);
  });

  it('an app’s session is handed to one of two polls at the same time', async () => {
    await offer(ada);
    const responses = await Promise.all(Array.from({ length: 10 }, () => poll()));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('an app’s session may be offered twice by the same person, and by nobody else', async () => {
    const bob = await signUp('bob@example.org');
    await offer(ada);
    expect((await offer(ada)).status).toBe(200);
    const refused = await offer(bob);
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect((await poll()).body.user.id).toBe(ada.user.id);
  });

  it('an app’s session belongs to the project that the person is signed in to', async () => {
    await offer(await signUp('ada@example.org', 'other'));
    const { body } = await poll();
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await test.call('GET', '/api/who/other', { headers })).status).toBe(200);
    expect((await test.call('GET', '/api/who/journal', { headers })).status).toBe(401);
  });

  it('an app’s session waits for ten minutes', async () => {
    await offer(ada);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
    expect((await poll()).status).toBe(202);
  });

  it('an app’s session is offered by a sign-in of the last ten minutes, and not by an access token that somebody found', async () => {
    const { body: app } = await offer(ada).then(() => poll());
    const handedOver = await offer(app);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
    for (const { status, body } of [handedOver, await offer(ada)])
      expect([status, body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    expect((await poll()).status).toBe(202);
  });

  it('an app’s session is not opened for an account that was disabled in the meantime', async () => {
    await offer(ada);
    await test.database.writer.updateTable('users').set({ disabled_at: 1 }).execute();
    const { status, body } = await poll();
    expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND']);
  });

  it('an app’s session is offered by signed-in users only', async () => {
    expect((await test.call('POST', `/api/auth/mobile-session/${ID}`)).status).toBe(401);
    const secretKey = test.projects.get('journal')?.secretKey ?? '';
    expect((await offer({ access_token: secretKey })).status).toBe(401);
    expect((await poll()).status).toBe(202);
  });

  it.each(['short', 'x'.repeat(201), `${'x'.repeat(20)}.`, `${'x'.repeat(20)}%00`, `${'ü'.repeat(20)}`])(
    'an app’s session id of %j is refused',
    async (id) => {
      expect((await poll(id)).body.code).toBe('VALIDATION_FAILED');
      expect((await offer(ada, id)).body.code).toBe('VALIDATION_FAILED');
    },
  );

  it('an app may poll twice a second for more than a minute', async () => {
    const limited = await buildTestAuth({ rateLimit: true });
    const ask = () => limited.call('GET', `/api/auth/mobile-session/${ID}`);
    for (let polls = 0; polls < 600; polls += 1) expect((await ask()).status).toBe(202);
    let response = await ask();
    for (let polls = 0; response.status === 202 && polls < 2_000; polls += 1) response = await ask();
    expect(response.body.code).toBe('RATE_LIMITED');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    await limited.close();
  });
});
