import { openTestAccounts } from '@fabrica/backend/testing/auth/build-test-accounts.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createNewAccountCheck } from './is-new-account.ts';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE_MS = 60_000;

test.each([
  ['verified, and an hour old', 1, 60, true, false],
  ['verified, and younger than an hour', 1, 59, true, true],
  ['not verified, and a year old', 0, 525_600, true, true],
  ['not verified, and an hour old where no mail can be sent', 0, 60, false, false],
  ['not verified, and younger than an hour where no mail can be sent', 0, 59, false, true],
])(
  'an account that is %s is judged by its e-mail address and age',
  async (_, verified, age, sendsMail, isNew) => {
    const library = await openTestAccounts();
    onTestFinished(() => library.close());
    await library.createAccount('ada', { email_verified: verified, created_at: NOW - age * MINUTE_MS });
    const check = createNewAccountCheck({ sendsMail }, () => NOW);
    expect(await check(library.project, 'ada')).toBe(isNew);
  },
);
