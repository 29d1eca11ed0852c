import type { Config } from './config.ts';
import { createBudgetNotices } from './http/daily-budget.ts';
import {
  createBudgetMails,
  createMailQueue,
  createMailSeal,
  createMailTransport,
  keepMessage,
  type MailQueueOptions,
} from './mail/index.ts';

/** Opens the queue of mails, and what tells the operator of budgets that are used up. */
export function openMail(config: Config, parts: Omit<MailQueueOptions, 'transport' | 'from'>) {
  const { from, operator } = config.mail;
  const mailQueue = createMailQueue({ ...parts, transport: createMailTransport(config, parts.keys), from });
  const notify = createBudgetMails({ mailQueue, to: operator, publicUrl: config.publicUrl });
  const mailOperator = async (mail: { subject: string; text: string }) => {
    const main = parts.projects.get(config.projectId);
    if (operator === undefined || !main) return;
    await mailQueue.enqueue(main, { kind: 'operator', mail: { to: operator, html: '', ...mail } });
  };
  const seal = createMailSeal(parts.keys);
  const keepForOperator = async (message: Parameters<typeof keepMessage>[1]) => {
    const main = parts.projects.get(config.projectId);
    if (main) await keepMessage(main.database, message, { seal, now: Date.now() });
  };
  return {
    mailQueue,
    mailOperator,
    keepForOperator,
    noticeBudget: createBudgetNotices({ log: parts.log, notify }),
  };
}
