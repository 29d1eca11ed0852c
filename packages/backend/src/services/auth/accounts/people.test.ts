import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { PASSWORD } from '@fabrica/backend/testing/auth/build-test-person.ts';
import type { Person } from '@fabrica/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listEvents } from '../audit.ts';
import { authReader } from '../queries.ts';
import { requireAccount } from './administer-users.ts';
import { changeRole } from './people.ts';

const NONE = {};

describe('the people of a project', () => {
  let test: TestAuth;
  beforeEach(async () => {
    test = await buildTestAuth();
  });
  afterEach(() => test.close());

  const project = () => {
    const journal = test.projects.get('journal');
    if (!journal) throw new Error('There is no journal.');
    return journal;
  };
  /** Signs up and returns calls with the token of the account. */
  async function person(name: string, role?: string) {
    const email = `${name}@example.org`;
    const { body } = await test.call('POST', '/api/auth/signup', {
      body: { projectId: 'journal', email, password: PASSWORD, displayName: name },
    });
    if (role) {
      const { id: personId } = await requireAccount(project(), email);
      await changeRole(project(), { personId, role, source: { ip: null, device: null } });
    }
    const headers = { authorization: `Bearer ${body.access_token}` };
    return {
      id: String(body.user.id),
      list: (query = '') => test.call('GET', `/api/auth/people${query}`, { headers }),
      setRole: (id: string, to: unknown, proof: object = { password: PASSWORD }) =>
        test.call('PATCH', `/api/auth/people/${id}`, {
          headers,
          body: { role: to, ...(proof !== NONE && { proof }) },
        }),
    };
  }
  const names = ({ people }: { people: Person[] }) => people.map(({ displayName }) => displayName);

  it('an admin sees all accounts page by page and finds them by name and e-mail, and nobody else does', async () => {
    const admin = await person('Ada', 'admin');
    const author = await person('Grace');
    await person('Mary');
    const first = await admin.list('?limit=2');
    expect(first.status).toBe(200);
    const second = await admin.list(`?limit=2&cursor=${first.body.cursor}`);
    expect([...names(first.body), ...names(second.body)].sort()).toEqual(['Ada', 'Grace', 'Mary']);
    expect(second.body.cursor).toBeNull();
    expect(names((await admin.list('?search=GRACE@')).body)).toEqual(['Grace']);
    expect(names((await admin.list('?search=%25')).body)).toEqual([]);
    expect(Object.keys(first.body.people[0])).not.toContain('password_hash');
    expect((await admin.list('?cursor=nonsense')).status).toBe(400);
    expect((await author.list()).status).toBe(403);
    expect((await author.setRole(author.id, 'admin')).status).toBe(403);
    expect((await test.call('GET', '/api/auth/people')).status).toBe(401);
  });

  it('a changed role counts with the next request, and the audit log names who changed it', async () => {
    const admin = await person('Ada', 'admin');
    const author = await person('Grace');
    const changed = await admin.setRole(author.id, 'admin');
    expect(changed.body).toMatchObject({ person: { id: author.id, role: 'admin' } });
    expect((await author.list()).status).toBe(200);
    const [event] = await listEvents(authReader(test.database), { userId: author.id, limit: 1 });
    expect(event?.event).toBe('role-changed');
    expect(JSON.parse(event?.details ?? '')).toEqual({ from: 'author', to: 'admin', by: admin.id });
    expect((await admin.setRole(author.id, 'emperor')).status).toBe(400);
    expect((await admin.setRole('user_nobody', 'author')).status).toBe(404);
  });

  it('a role is given with a proof, however fresh the session is, and nothing is told before', async () => {
    const admin = await person('Ada', 'admin');
    const author = await person('Grace');
    for (const proof of [NONE, { password: 'not the password' }]) {
      const refused = await admin.setRole(author.id, 'admin', proof);
      expect([refused.status, refused.body.details]).toEqual([401, { proofs: ['password', 'code'] }]);
    }
    expect((await author.list()).status).toBe(403);
    expect(test.mails.filter(({ kind }) => kind === 'role-changed')).toEqual([]);
  });

  it('all admins are told of a given role by mail, the new one and the former one too', async () => {
    const ada = await person('Ada', 'admin');
    const bela = await person('Bela', 'admin');
    await person('Eve');
    const grace = await person('Grace');
    let seen = 0;
    const told = () => {
      const mails = test.mails.slice(seen);
      seen = test.mails.length;
      return mails
        .flatMap((mail) => (mail.kind === 'role-changed' ? [`${mail.to}: ${mail.subject}`] : []))
        .sort();
    };
    await ada.setRole(grace.id, 'admin');
    const given = 'grace@example.org: author → admin';
    expect(told()).toEqual(['ada', 'bela', 'grace'].map((name) => `${name}@example.org: ${given}`));
    await grace.setRole(bela.id, 'author');
    const taken = 'bela@example.org: admin → author';
    expect(told()).toEqual(['ada', 'bela', 'grace'].map((name) => `${name}@example.org: ${taken}`));
    await ada.setRole(grace.id, 'admin');
    expect(told()).toEqual([]);
  });

  it('the last admin keeps the role, also when two admins take it from each other at once', async () => {
    const ada = await person('Ada', 'admin');
    expect(await ada.setRole(ada.id, 'author')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    const grace = await person('Grace', 'admin');
    const outcomes = await Promise.all([ada.setRole(grace.id, 'author'), grace.setRole(ada.id, 'author')]);
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = [await ada.list(), await grace.list()].filter(({ status }) => status === 200);
    expect(left).toHaveLength(1);
  });
});
