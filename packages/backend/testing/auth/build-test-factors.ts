import { expect } from 'vitest';
import type { TestResponse } from '../test-response.ts';
import type { TestAuth } from './build-test-auth.ts';
import { buildTestPasskey, type TestPasskey } from './build-test-passkey.ts';
import { PASSWORD, type TestPerson } from './build-test-person.ts';
import { codeNow } from './code-now.ts';

export interface TestApp {
  secret: string;
  recoveryCodes: string[];
}

/** Sets an authenticator app up for a person without a factor. */
export async function addApp(person: TestPerson): Promise<TestApp> {
  const begun = await person.call('POST', '/api/auth/factors/totp/begin', { proof: { password: PASSWORD } });
  expect(begun.status).toBe(200);
  const { secret, setUp } = begun.body;
  // The code of the step before leaves the current one for the test.
  const added = await person.call('POST', '/api/auth/factors/totp', { setUp, code: codeNow(secret, -1) });
  expect(added.status).toBe(200);
  return { secret, recoveryCodes: added.body.recoveryCodes };
}

interface AddedPasskey {
  passkey: TestPasskey;
  /** The response to the call that added it. */
  added: TestResponse['body'];
}

/** Adds a passkey in software for a person. */
export async function addTestPasskey(
  person: TestPerson,
  { proof = { password: PASSWORD }, counts = true }: { proof?: object; counts?: boolean } = {},
): Promise<AddedPasskey> {
  const passkey = buildTestPasskey({ counts });
  const begun = await person.call('POST', '/api/auth/factors/passkeys/begin', { proof });
  expect(begun.status).toBe(200);
  const credential = passkey.create(begun.body);
  const added = await person.call('POST', '/api/auth/factors/passkeys', { credential, name: 'Key' });
  expect(added.status).toBe(200);
  return { passkey, added: added.body };
}

/** Returns the ticket of a response that asks for the second step. */
export function ticketOf({ status, body }: TestResponse): string {
  expect({ status, code: body.code }).toEqual({ status: 401, code: 'SECOND_FACTOR_REQUIRED' });
  expect(body.access_token).toBeUndefined();
  return body.details.ticket;
}

export function takeStep(test: TestAuth, ticket: string, proof: object, ip?: string): Promise<TestResponse> {
  const body = { ticket, ...proof };
  return test.call('POST', '/api/auth/signin/second-step', { body, ...(ip && { ip }) });
}
