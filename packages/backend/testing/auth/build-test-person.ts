import { expect } from 'vitest';
import type { LinkMail } from '../../src/mail/index.ts';
import type { TestResponse } from '../test-response.ts';
import type { TestAuth } from './build-test-auth.ts';

export const PASSWORD = 'Lungs draw 12 breaths';

/** A user with an account of the test. */
export interface TestPerson {
  email: string;
  id: string;
  refreshToken: string;
  headers: { authorization: string };
  call(method: string, path: string, body?: unknown): Promise<TestResponse>;
}

export async function signUpPerson(test: TestAuth, email = 'ada@example.org'): Promise<TestPerson> {
  const { status, body } = await test.call('POST', '/api/auth/signup', {
    body: { projectId: 'journal', email, password: PASSWORD },
    headers: { 'accept-language': 'de-AT,en;q=0.5', 'user-agent': FIREFOX },
  });
  expect(status).toBe(200);
  return personOf(test, body);
}

export const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Returns the person of a sign-in's response. */
export function personOf(test: TestAuth, body: TestResponse['body']): TestPerson {
  const headers = { authorization: `Bearer ${body.access_token}` };
  return {
    email: body.user.email,
    id: body.user.id,
    refreshToken: body.refresh_token,
    headers,
    call: (method, path, json) =>
      test.call(method, path, { headers, ...(json === undefined ? {} : { body: json }) }),
  };
}

export function signInWith(test: TestAuth, email: string, password = PASSWORD): Promise<TestResponse> {
  return test.call('POST', '/api/auth/signin/email', { body: { projectId: 'journal', email, password } });
}

/** Returns the newest mail of a kind to an e-mail, with the parts of its link. */
export function mailTo(test: TestAuth, email: string, kind: LinkMail['kind']): TestMail {
  const mail = test.mails.findLast((one) => one.to === email && one.kind === kind);
  if (!mail || !('link' in mail)) throw new Error(`There is no mail of kind ${kind} to ${email}.`);
  const link = new URL(mail.link);
  return {
    ...mail,
    token: link.searchParams.get('token') ?? '',
    path: link.pathname,
    query: link.searchParams,
  };
}

type TestMail = LinkMail & { to: string; token: string; path: string; query: URLSearchParams };

/** Returns the code of the newest mail that confirms a change. */
export function proofCodeTo(test: TestAuth, email: string): string {
  const mail = test.mails.findLast((one) => one.to === email && one.kind === 'confirm-change');
  if (mail?.kind !== 'confirm-change') throw new Error(`There is no code for ${email}.`);
  return mail.code;
}

/** Returns the kinds of the mails that have notified the owner of an account of what happened there. */
export function noticesTo(test: TestAuth, email: string): string[] {
  return test.mails.filter((mail) => mail.to === email && 'at' in mail).map(({ kind }) => kind);
}
