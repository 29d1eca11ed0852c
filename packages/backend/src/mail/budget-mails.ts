import type { Project } from '../database/project.ts';
import { type BudgetUse, DAY_MS, dayOf, type NotifyOperator } from '../http/daily-budget.ts';
import type { MailQueue } from './mail-queue.ts';
import { mailReader } from './outbox-queries.ts';

interface BudgetMailOptions {
  mailQueue: Pick<MailQueue, 'enqueueLater'>;
  /** The operator's e-mail address; without one, the log alone tells. */
  to: string | undefined;
  publicUrl: string;
}

/** The words of the operator's mail for the uses that settings limit. Other budgets are named by their words. */
const USES: Readonly<Record<string, string>> = {
  AI_PROJECT_DAILY_CALLS: 'calls of AI models',
  AI_PROJECT_DAILY_TOKENS: 'tokens of AI models',
};

/** Returns the function that mails to the operator what becomes of a project's budget, once a day for each part of it. */
export function createBudgetMails({
  mailQueue,
  to,
  publicUrl,
}: BudgetMailOptions): NotifyOperator | undefined {
  if (to === undefined) return undefined;
  return (project, use) => {
    const kind = `budget-${use.isOver ? 'end' : 'warning'} ${use.setting}`;
    mailQueue.enqueueLater(project, kind, async () =>
      (await wasMailed(project, kind)) ? undefined : { to, html: '', ...budgetMail(project, use, publicUrl) },
    );
  };
}

/** Another process may have sent the mail, or this one before it was restarted. */
async function wasMailed({ database }: Project, kind: string): Promise<boolean> {
  const today = dayOf(Date.now());
  const found = await mailReader(database)
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', kind)
    .where('created_at', '>=', today)
    .where('created_at', '<', today + DAY_MS)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

function budgetMail(
  { definition: { id } }: Project,
  { setting, used, limit, isOver }: BudgetUse,
  publicUrl: string,
): { subject: string; text: string } {
  const uses = USES[setting] ?? setting;
  const counts = `${used.toLocaleString('en')} of ${limit.toLocaleString('en')}`;
  const consequence = isOver
    ? 'Further ones are refused until midnight (UTC), with a sentence that says so.'
    : 'When they are used up, further ones are refused until midnight (UTC).';
  return {
    subject: isOver ? `${id}: no ${uses} are left for today` : `${id}: 80 % of the ${uses} of today are used`,
    text: [
      `The project "${id}" at ${publicUrl} has used ${counts} ${uses} that it has for today.`,
      consequence,
      `${USES[setting] ? `If this use is wanted, raise ${setting}. If not, look` : 'Look'} at who it is: the log names accounts, and "npx fabrica ai usage" sums up their calls of AI models.`,
    ].join('\n\n'),
  };
}
