import { ScriptedServer } from '@fabrica/client/testing/scripted-server.ts';
import { scriptedError } from '@fabrica/client/testing/session-script.ts';
import { EMAIL_INCOMPLETE } from '@fabrica/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import type { NotificationsClient } from './notifications-client.ts';

const EMAIL = 'POST /api/notifications/journal/email';
const MAIL = { to: 'ada@example.org', subject: 'Hello', text: 'Hello Ada' };

let backend: ScriptedServer;
let notifications: NotificationsClient;

beforeEach(async () => {
  backend = await ScriptedServer.start();
  notifications = createClient({ projectId: 'journal', origin: backend.origin }).notifications;
});
afterEach(() => backend.close());

describe('an email', () => {
  it('an e-mail is sent unchanged and its id is returned', async () => {
    const response = { success: true, messageId: '<1@example.org>' };
    backend.on(EMAIL, { body: response });
    const mail = { ...MAIL, cc: ['ben@example.org'], attachments: [{ filename: 'a', content: 'YQ==' }] };
    expect(await notifications.email(mail)).toEqual(response);
    expect(backend.requests[0]?.json).toEqual(mail);
  });

  it.each([{ to: '' }, { to: [] }, { subject: ' ' }, { text: '' }])(
    'an incomplete e-mail is rejected before it is sent: %j',
    async (changes) => {
      await expect(notifications.email({ ...MAIL, ...changes })).rejects.toMatchObject({
        name: 'ValidationError',
        message: EMAIL_INCOMPLETE,
      });
      expect(backend.requests).toEqual([]);
    },
  );

  it('an e-mail that the server rejects fails with its code', async () => {
    backend.on(
      EMAIL,
      scriptedError(403, 'UNVERIFIED_SENDER', 'Emails are sent from addresses of example.org only.'),
    );
    await expect(notifications.email(MAIL)).rejects.toMatchObject({ code: 'UNVERIFIED_SENDER', status: 403 });
  });
});

it('notification settings are read and changed, and mails are stopped with a token', async () => {
  const settings = { notices: { 'new-comments': false } };
  backend.on('GET /api/notifications/journal/settings', { body: settings });
  backend.on('PATCH /api/notifications/journal/settings', { body: settings });
  backend.on('POST /api/notifications/journal/stop', { body: { success: true } });
  expect(await notifications.settings()).toEqual(settings);
  expect(await notifications.changeSettings({ 'new-comments': false })).toEqual(settings);
  await notifications.stop('journal.a.b', 'one');
  expect(backend.requests.map(({ json }) => json)).toEqual([
    null,
    settings,
    { token: 'journal.a.b', scope: 'one' },
  ]);
});
