import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { PASSWORD, signUpPerson, type TestPerson } from '@fabrica/backend/testing/auth/build-test-person.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Every call that takes a body, with one that would be good; `anyone` needs no token. */
const CALLS: readonly [
  method: string,
  path: string,
  body: Record<string, unknown>,
  who: 'anyone' | 'user',
][] = [
  ['POST', '/signup', { projectId: 'journal', email: 'new@example.org', password: PASSWORD }, 'anyone'],
  ['POST', '/signin/email', { projectId: 'journal', email: 'ada@example.org', password: PASSWORD }, 'anyone'],
  ['POST', '/refresh', { refresh_token: 'x' }, 'anyone'],
  ['POST', '/password/reset', { projectId: 'journal', email: 'ada@example.org' }, 'anyone'],
  ['POST', '/password/reset/confirm', { projectId: 'journal', token: 'x', password: PASSWORD }, 'anyone'],
  ['POST', '/password/change', { oldPassword: PASSWORD, newPassword: PASSWORD }, 'user'],
  ['POST', '/email/verify', { projectId: 'journal', token: 'x' }, 'anyone'],
  ['POST', '/signin/magic', { projectId: 'journal', email: 'ada@example.org' }, 'anyone'],
  ['POST', '/signin/magic/verify', { projectId: 'journal', token: 'x' }, 'anyone'],
  ['POST', '/complete', { code: 'x' }, 'anyone'],
];

const BAD_VALUES: readonly [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['true', true],
  ['a list', ['a']],
  ['an object', { $ne: '' }],
  ['an empty text', ''],
  ['a NUL', 'a\0b@example.org'],
  ['half a surrogate pair', 'ab\ud800cd@example.org'],
  ['ten thousand characters', 'x'.repeat(10_000)],
];

describe('malformed bodies', () => {
  let test: TestAuth;
  let ada: TestPerson;
  beforeAll(async () => {
    test = await buildTestAuth();
    ada = await signUpPerson(test);
  });
  afterAll(() => test.close());

  const send = (method: string, path: string, who: 'anyone' | 'user', body: unknown) =>
    test.call(method, `/api/auth${path}`, { body, headers: who === 'user' ? ada.headers : {} });

  describe.each(CALLS)('%s %s', (method, path, good, who) => {
    for (const field of Object.keys(good)) {
      it.each(BAD_VALUES)(`${method} ${path} refuses a body whose ${field} is %s`, async (name, value) => {
        const { status, body } = await send(method, path, who, { ...good, [field]: value });
        expect(body.code).toMatch(/^[A-Z_]+$/);
        expect(body.error).toEqual(expect.any(String));
        expect(status, `${field}: ${name}`).toBe(400);
      });
    }

    it(`${method} ${path} refuses a body of a megabyte`, async () => {
      const long = Object.fromEntries(Object.keys(good).map((field) => [field, 'x'.repeat(1_000_000)]));
      const { status, body } = await send(method, path, who, long);
      expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it.each(['', '{', '[]', 'null', '"text"', '{"projectId":', '\ufeff{}'])(
      `${method} ${path} refuses a body of %j`,
      async (text) => {
        const { status, body } = await send(method, path, who, text);
        expect(status).toBe(400);
        expect(['INVALID_JSON', 'VALIDATION_FAILED']).toContain(body.code);
      },
    );
  });

  it('requests with bad bodies leave the account as it was', async () => {
    const { body } = await ada.call('GET', '/api/auth/me');
    expect(body.user).toMatchObject({ email: 'ada@example.org', emailVerified: false, role: 'author' });
  });
});
