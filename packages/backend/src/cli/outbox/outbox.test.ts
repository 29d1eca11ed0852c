import { buildTestCli, type TestCli } from '@fabrica/backend/testing/cli/build-test-cli.ts';
import { buildMail, FROM } from '@fabrica/backend/testing/mail/build-test-mail.ts';
import { startSmtpServer } from '@fabrica/test-peers/smtp-server.ts';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMailQueue, createSmtpTransport } from '../../mail/index.ts';

let cli: TestCli;

beforeEach(async () => {
  cli = await buildTestCli();
});
afterEach(() => cli.close());

/** The project's outbox while a server has it open: mails are accepted, and tried once on this mail server. */
async function send(smtpUrl: string, ...subjects: string[]): Promise<void> {
  await cli.withProject(async (project, keys) => {
    const mailQueue = createMailQueue({
      projects: new Map([['journal', project]]),
      keys,
      transport: createSmtpTransport({ url: smtpUrl, from: FROM }),
      from: FROM,
      log: pino({ level: 'silent' }),
    });
    await mailQueue.idle();
    for (const subject of subjects) {
      const attachments = [
        {
          filename: 'a.txt',
          contentType: 'text/plain',
          disposition: 'attachment',
          cid: null,
          content: 'YWJj',
        },
      ] as const;
      await mailQueue.enqueue(project, { kind: 'email', mail: buildMail({ subject, attachments }) });
      await mailQueue.idle();
    }
    await mailQueue.close();
  });
}

const list = async (options = '') => JSON.parse((await cli.run(`outbox --json ${options}`)).stdout);

describe('fabrica outbox, of mails that were not sent', () => {
  it('outbox lists failed mails with their errors, shows them and sends them again', async () => {
    const server = await startSmtpServer();
    server.refuse(1, 550);
    await send(server.url, 'First', 'Second');
    const { stdout } = await cli.run('outbox');
    expect(stdout).toMatch(/1 +\S+ \S+ +failed \(SMTP 550 at RCPT TO\) +ada@example\.org +First$/m);
    expect(await list('--sent')).toMatchObject([
      { number: 1, state: 'sent', subject: null, tries: 1 },
      { number: 2, state: 'failed', subject: 'First', kind: 'email', lastError: 'SMTP 550 at RCPT TO' },
    ]);
    const shown = (await cli.run('outbox open 1 --text')).stdout;
    expect(shown).toContain('State: failed\nError: SMTP 550 at RCPT TO\nSubject: First\n\nGrüße');
    expect(shown).toMatch(/\[a\.txt, 3 bytes\]$/);
    expect((await cli.run('outbox retry 1')).stdout).toBe('1 mail is sent again.');
    expect(await list()).toMatchObject([{ state: 'waiting', tries: 0, nextTryAt: expect.any(String) }]);
    await send(server.url);
    expect(server.messages().map(({ subject }) => subject)).toEqual(['Second', 'First']);
    expect(await list()).toEqual([]);
    await server.close();
  });

  it('outbox retry all sends every mail again, and outbox discard deletes one', async () => {
    const server = await startSmtpServer();
    server.refuse(2, 550);
    await send(server.url, 'First', 'Second');
    expect((await cli.run('outbox discard 2')).stdout).toBe('The mail is thrown away.');
    expect(JSON.parse((await cli.run('outbox retry all --json')).stdout)).toEqual({ retried: 1 });
    expect(await list()).toMatchObject([{ subject: 'Second', state: 'waiting' }]);
    await server.close();
  });

  it('outbox says that there are no mails', async () => {
    const { exitCode, stderr } = await cli.run('outbox retry 1');
    expect([exitCode, stderr]).toEqual([1, 'The outbox is empty.']);
  });
});
