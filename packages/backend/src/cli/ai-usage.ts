import { Option } from '@commander-js/extra-typings';
import { totalUsage, type UsageTotal } from '../services/ai/index.ts';
import { parseAge } from './program/parse-values.ts';
import { isoTime, presentTable } from './program/present.ts';
import type { Cli } from './program/run-program.ts';

const DEFAULT_AGE_MS = 30 * 24 * 60 * 60 * 1000;

const headings = ['BY', 'FOR', 'MODEL', 'CALLS', 'FAILED', 'TOKENS IN', 'TOKENS OUT', 'MEAN TIME'] as const;

export function aiUsage({ command, run }: Cli): void {
  command('ai usage', 'Shows who used which AI models: calls, tokens and times.')
    .addOption(
      new Option('--since <age>', 'How far to look back, such as 36h or 7d.')
        .argParser(parseAge)
        .default(DEFAULT_AGE_MS, '30d'),
    )
    .addHelpText(
      'after',
      `
Calls that failed, or that the client canceled, count as failed. Prompts and results are not stored.
When an endpoint does not report tokens, they are estimated at four characters each.`,
    )
    .action(
      run(async ({ terminal, json, project, show }, { since: age }) => {
        const since = Date.now() - age;
        const totals = await totalUsage(await project(), since);
        if (totals.length === 0 && !json) return terminal.note('There were no AI calls.');
        const table = presentTable(headings, totals.map(rowOf));
        show({ since: isoTime(since), usage: totals }, `${table}\n\n${presentSum(totals)}`);
      }),
    );
}

function rowOf({ userId, email, capability, model, ...total }: UsageTotal): (string | number)[] {
  const by = email ?? userId ?? 'the secret key';
  const { calls, failed, inputTokens, outputTokens, latencyMs } = total;
  return [by, capability, model, calls, failed, inputTokens, outputTokens, presentSeconds(latencyMs)];
}

function presentSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function presentSum(totals: readonly UsageTotal[]): string {
  const sum = (of: (total: UsageTotal) => number) => totals.reduce((all, total) => all + of(total), 0);
  const calls = sum((total) => total.calls);
  const tokens = sum(({ inputTokens, outputTokens }) => inputTokens + outputTokens);
  return `${calls} ${calls === 1 ? 'call' : 'calls'}, ${tokens} tokens.`;
}
