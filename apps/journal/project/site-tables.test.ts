import type { SendTestRequest, TestDatabase } from '@fabrica/backend/testing/database/build-test-database.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestJournal } from '../testing/open-test-journal.ts';

let db: TestDatabase;
let admin: SendTestRequest;
beforeEach(async () => {
  db = await openTestJournal();
  admin = as('admin');
});
afterEach(() => db.close());

function as(role: string): SendTestRequest {
  return db.as({ kind: 'user', id: role, email: `${role}@example.org`, displayName: null, role });
}

it('only an admin sets the site and its texts, and everybody reads them', async () => {
  const settings = { body: { id: 'site', name: 'Atlas' } };
  const texts = { body: { id: 'de', imprint: 'Dr. Ada Byron' } };
  for (const [send, status] of [
    [db.anonymous, 401],
    [as('reader'), 403],
    [as('author'), 403],
  ] as const) {
    expect((await send('POST', 'site_settings', settings)).status).toBe(status);
    expect((await send('POST', 'site_texts', texts)).status).toBe(status);
  }
  expect((await admin('POST', 'site_settings', settings)).status).toBe(201);
  expect((await admin('POST', 'site_texts', texts)).status).toBe(201);
  for (const send of [db.anonymous, as('reader'), as('author')]) {
    await send('PATCH', 'site_settings?id=eq.site', { body: { name: 'Mine' } });
    await send('DELETE', 'site_texts?id=eq.de');
    expect((await send('GET', 'site_settings?select=name')).body).toEqual([{ name: 'Atlas' }]);
    expect((await send('GET', 'site_texts?select=imprint')).body).toEqual([{ imprint: 'Dr. Ada Byron' }]);
  }
  // The texts of a language are emptied, never deleted.
  expect((await admin('DELETE', 'site_texts?id=eq.de')).status).toBe(403);
});

it.each([
  [
    { accent_light: '#e58a80' },
    'must be a colour such as #8c2f2b with a contrast of 4.5 at least on the light',
  ],
  [{ accent_dark: '#8c2f2b' }, 'on the dark grounds'],
  [{ accent_light: 'red' }, 'must be a colour'],
  [{ languages: 'de,de' }, 'must name each language once'],
  [{ languages: '' }, 'has a form that is not allowed'],
  [{ languages: 'de,it' }, 'has a form that is not allowed'],
  [{ logo_url: 'javascript:alert(1)' }, 'has a form that is not allowed'],
  [{ name: ' ' }, 'must not be blank'],
  [{ id: 'here' }, 'has a form that is not allowed'],
])('the settings %j are refused, and why is said', async (settings, reason) => {
  const { status, body } = await admin('POST', 'site_settings', { body: { id: 'site', ...settings } });
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'VALIDATION_FAILED', error: expect.stringContaining(reason) });
});

it('a change of settings that somebody else has changed meanwhile writes nothing', async () => {
  const headers = { prefer: 'return=representation' };
  const settings = { id: 'site', name: 'Atlas', accent_light: '#8c2f2b', updated_at: 1 };
  expect((await db.service('POST', 'site_settings', { body: settings })).status).toBe(201);
  const change = (name: string) =>
    admin('PATCH', 'site_settings?id=eq.site&updated_at=eq.1', { body: { name }, headers });
  expect((await change('First')).body).toMatchObject([{ name: 'First' }]);
  expect((await change('Second')).body).toEqual([]);
  expect((await db.anonymous('GET', 'site_settings?select=name')).body).toEqual([{ name: 'First' }]);
});
