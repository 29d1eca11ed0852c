import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { signInWith, signUpPerson } from '@fabrica/backend/testing/auth/build-test-person.ts';
import { afterEach, expect, it } from 'vitest';
import { type AuditEvent, listEvents } from './audit.ts';
import { authReader } from './queries.ts';

let test: TestAuth;
afterEach(() => test.close());

const recorded = async (event: AuditEvent) => {
  const rows = await listEvents(authReader(test.database), { event, limit: 10_000 });
  return rows.map(({ user_id, address, details }) => ({ user_id, address, ...JSON.parse(details ?? '{}') }));
};
const refusedSignUp = (ip: string) =>
  test.call('POST', '/api/auth/signup', { body: { projectId: 'journal', email: 7 }, ip });

it('the audit log has requests whose input was refused and limits that were reached, with their code', async () => {
  test = await buildTestAuth({ rateLimit: true });
  const ada = await signUpPerson(test);
  for (let tries = 0; tries < 12; tries += 1) await signInWith(test, ada.email, `guess number ${tries}`);
  await ada.call('PATCH', '/api/auth/me', { displayName: 'a'.repeat(1_000) });
  const path = '/api/auth/signin/email';
  expect(await recorded('limit-reached')).toEqual(
    Array(2).fill({ user_id: null, address: '203.0.113.1', method: 'POST', path, code: 'RATE_LIMITED' }),
  );
  expect(await recorded('input-refused')).toMatchObject([
    { user_id: ada.id, method: 'PATCH', path: '/api/auth/me', code: 'VALIDATION_FAILED' },
  ]);
  expect(JSON.stringify(await recorded('input-refused'))).not.toContain('aaa');
});

it('a flood of refused requests leaves 20 entries in five minutes, 4 of one network, and none of another kind out', async () => {
  test = await buildTestAuth({ rateLimit: true });
  for (let tries = 0; tries < 50; tries += 1) await refusedSignUp('198.51.100.7');
  expect(await recorded('input-refused')).toHaveLength(4);
  for (let network = 0; network < 200; network += 1) await refusedSignUp(`192.0.${network}.7`);
  const entries = await recorded('input-refused');
  expect(entries).toHaveLength(20);
  for (let tries = 0; tries < 65; tries += 1) await refusedSignUp('203.0.113.99');
  expect((await recorded('limit-reached')).length).toBeGreaterThan(0);
});

it('a refused request that names no project is recorded in the first one, without the id of an app’s session', async () => {
  test = await buildTestAuth();
  await test.call('GET', '/api/auth/mobile-session/short');
  await test.call('POST', '/api/auth/refresh', { body: 'no JSON' });
  expect((await recorded('input-refused')).map(({ path }) => path).sort()).toEqual([
    '/api/auth/mobile-session/…',
    '/api/auth/refresh',
  ]);
});
