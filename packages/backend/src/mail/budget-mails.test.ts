import { setUpOutbox, type TestOutbox } from '@fabrica/backend/testing/mail/build-test-outbox.ts';
import type { TestSmtpServer } from '@fabrica/test-peers/smtp-server.ts';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createBudgetNotices } from '../http/daily-budget.ts';
import { createBudgetMails } from './budget-mails.ts';

let server: TestSmtpServer;
let outbox: TestOutbox;

setUpOutbox((opened) => {
  ({ server, outbox } = opened);
});

/** Opens what a process notices budgets with. */
function openNotices() {
  const mailQueue = outbox.openQueue(server.url);
  const notify = createBudgetMails({
    mailQueue,
    to: 'operator@example.org',
    publicUrl: 'https://journal.example',
  });
  const notice = createBudgetNotices({ log: pino({ level: 'silent' }), notify });
  return {
    async use(setting: string, used: number) {
      notice(outbox.project, { setting, used, limit: 1_000 });
      await mailQueue.idle();
    },
  };
}

const subjects = () => server.messages().map(({ subject }) => subject);

it('the operator gets one mail when 80 % of a budget are used, and one at its end, whatever is restarted', async () => {
  const notices = openNotices();
  for (const used of [1, 799, 800, 900, 999]) await notices.use('AI_PROJECT_DAILY_CALLS', used);
  expect(subjects()).toEqual(['journal: 80 % of the calls of AI models of today are used']);
  for (const used of [1_000, 1_001]) await notices.use('AI_PROJECT_DAILY_CALLS', used);
  expect(subjects().at(-1)).toBe('journal: no calls of AI models are left for today');
  const [, end] = server.messages();
  expect(end?.to).toBe('operator@example.org');
  expect(end?.text).toContain('has used 1,000 of 1,000 calls of AI models that it has for today.');
  expect(end?.text).toContain('raise AI_PROJECT_DAILY_CALLS');

  const restarted = openNotices();
  await restarted.use('AI_PROJECT_DAILY_CALLS', 1_002);
  expect(subjects()).toHaveLength(2);
  await restarted.use('calls to other servers', 850);
  expect(subjects().at(-1)).toBe('journal: 80 % of the calls to other servers of today are used');
  expect(server.messages().at(-1)?.text).not.toContain('raise');
});

it('nobody gets a mail while no address is set', async () => {
  const mailQueue = outbox.openQueue(server.url);
  expect(
    createBudgetMails({ mailQueue, to: undefined, publicUrl: 'https://journal.example' }),
  ).toBeUndefined();
});
