import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { buildTestPasskey } from '@fabrica/backend/testing/auth/build-test-passkey.ts';
import {
  mailTo,
  PASSWORD,
  signInWith,
  signUpPerson,
} from '@fabrica/backend/testing/auth/build-test-person.ts';
import { codeNow } from '@fabrica/backend/testing/auth/code-now.ts';
import type { TestResponse } from '@fabrica/backend/testing/test-response.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';

/**
 * Random walks of a stranger who has signed up with somebody else's e-mail address, and of the owner of its mailbox. Both come
 * from one network, and neither knows a password of the other.
 */
const WALKS = Number(process.env.WALKS ?? 12);
const STEPS = 14;
const SEED = Number(process.env.SEED ?? 20_261);
const OWN_PASSWORD = 'Hearts beat 70 times';
const LATER_PASSWORD = 'Kidneys clear 120 ml';
const projectId = 'journal';

interface Walk {
  test: TestAuth;
  email: string;
  /** What the stranger holds. */
  access: string;
  refresh: string;
  ticket?: string;
  password: string;
  /** Whether the owner of the mailbox has shown to be it. */
  isProven: boolean;
}

const asStranger = ({ test, access }: Walk, method: string, path: string, body?: object) =>
  test.call(method, `/api/auth${path}`, {
    headers: { authorization: `Bearer ${access}` },
    ...(body && { body }),
  });

function keep(walk: Walk, { body }: TestResponse): void {
  if (body?.access_token) Object.assign(walk, { access: body.access_token, refresh: body.refresh_token });
  if (body?.details?.ticket) walk.ticket = body.details.ticket;
}

/** Returns the mailed proof of this kind, after asking for it anew. */
async function mailedTo(
  { test, email }: Walk,
  kind: 'verify-email' | 'magic-link' | 'reset-password',
  byCode: boolean,
) {
  const { token, code } = mailTo(test, email, kind);
  return byCode ? { email, code } : { token };
}

const STRANGER = {
  signIn: async (walk: Walk) => keep(walk, await signInWith(walk.test, walk.email, walk.password)),
  renew: async (walk: Walk) =>
    keep(walk, await walk.test.call('POST', '/api/auth/refresh', { body: { refresh_token: walk.refresh } })),
  async addApp(walk: Walk) {
    const begun = await asStranger(walk, 'POST', '/factors/totp/begin', {
      proof: { password: walk.password },
    });
    if (begun.status !== 200) return;
    const { setUp, secret } = begun.body;
    await asStranger(walk, 'POST', '/factors/totp', { setUp, code: codeNow(secret, -1) });
  },
  async addPasskey(walk: Walk) {
    const proof = { password: walk.password };
    const begun = await asStranger(walk, 'POST', '/factors/passkeys/begin', { proof });
    if (begun.status !== 200) return;
    const credential = buildTestPasskey().create(begun.body);
    await asStranger(walk, 'POST', '/factors/passkeys', { credential, name: 'Key' });
  },
  async changePassword(walk: Walk) {
    const body = { oldPassword: walk.password, newPassword: LATER_PASSWORD };
    const { status } = await asStranger(walk, 'POST', '/password/change', body);
    if (status === 200) walk.password = LATER_PASSWORD;
  },
  handOver: async (walk: Walk) => {
    await asStranger(walk, 'POST', '/email/verify/send');
    if (walk.ticket) await asStranger(walk, 'POST', '/signin/second-step/options', { ticket: walk.ticket });
  },
};

const OWNER = {
  async verify(walk: Walk, byCode: boolean, given: object) {
    await asStranger(walk, 'POST', '/email/verify/send');
    if (!walk.test.mails.some((mail) => mail.to === walk.email && mail.kind === 'verify-email'))
      return undefined;
    const body = { projectId, ...(await mailedTo(walk, 'verify-email', byCode)), ...given };
    return walk.test.call('POST', '/api/auth/email/verify', { body });
  },
  async signInByMail(walk: Walk, byCode: boolean, given: object) {
    await walk.test.call('POST', '/api/auth/signin/magic', { body: { projectId, email: walk.email } });
    const body = { projectId, ...(await mailedTo(walk, 'magic-link', byCode)), ...given };
    return walk.test.call('POST', '/api/auth/signin/magic/verify', { body });
  },
  async reset(walk: Walk, byCode: boolean) {
    await walk.test.call('POST', '/api/auth/password/reset', { body: { projectId, email: walk.email } });
    const body = { projectId, ...(await mailedTo(walk, 'reset-password', byCode)), password: OWN_PASSWORD };
    return walk.test.call('POST', '/api/auth/password/reset/confirm', { body });
  },
};

const step = fc.oneof(
  fc.record({ stranger: fc.constantFrom(...(Object.keys(STRANGER) as (keyof typeof STRANGER)[])) }),
  fc.record({
    owner: fc.constantFrom(...(Object.keys(OWNER) as (keyof typeof OWNER)[])),
    byCode: fc.boolean(),
    given: fc.constantFrom({}, { askFirst: true }, { newPassword: OWN_PASSWORD }, { password: OWN_PASSWORD }),
  }),
);

/** Returns what the stranger can still do with an account whose owner has shown to be it. */
async function leftToStranger(walk: Walk): Promise<string[]> {
  const { test, email, refresh, password } = walk;
  const left: string[] = [];
  if ((await asStranger(walk, 'GET', '/me')).status === 200) left.push('the session');
  const renewed = await test.call('POST', '/api/auth/refresh', { body: { refresh_token: refresh } });
  if (renewed.status === 200) left.push('the refresh token');
  for (const known of new Set([PASSWORD, password])) {
    const { status, body } = await signInWith(test, email, known);
    if (status === 200 || body.code === 'SECOND_FACTOR_REQUIRED') left.push(`the password ${known}`);
  }
  const owner = await OWNER.signInByMail(walk, false, {});
  if (owner.status !== 200) left.push(`a factor that keeps the owner out: ${owner.body.code}`);
  return left;
}

it.each([true, false])(
  `on ${WALKS} random walks, a stranger keeps nothing of an account whose mailbox is another’s (with a mail server: %s)`,
  async (sendsMail) => {
    const test = await buildTestAuth({ settings: { sendsMail } });
    const weak: string[] = [];
    let proven = 0;
    const walks = fc.sample(fc.array(step, { minLength: STEPS, maxLength: STEPS }), {
      numRuns: WALKS,
      seed: SEED,
    });
    for (const [index, steps] of walks.entries()) {
      const email = `ada-${index}@example.org`;
      const { headers, refreshToken } = await signUpPerson(test, email);
      const access = headers.authorization.replace('Bearer ', '');
      const walk: Walk = { test, email, access, refresh: refreshToken, password: PASSWORD, isProven: false };
      let walked = '';
      for (const one of steps) {
        if ('stranger' in one) {
          await STRANGER[one.stranger](walk);
          walked += `${one.stranger}, `;
        } else {
          const response = await OWNER[one.owner](walk, one.byCode, one.given);
          walked += `${one.owner} ${JSON.stringify(one.given)} ${response?.status}, `;
          if (response?.status === 200 && !walk.isProven) {
            walk.isProven = true;
            proven += 1;
          }
        }
        if (walk.isProven) weak.push(...(await leftToStranger(walk)).map((what) => `${walked}: ${what}`));
        else if (sendsMail) {
          const { body } = await asStranger(walk, 'GET', '/factors');
          if (body.factors?.length > 0) weak.push(`${walked}: a factor before the address is verified`);
        }
      }
    }
    expect(weak).toEqual([]);
    expect(proven).toBeGreaterThan(WALKS / 2);
    await test.close();
  },
);
