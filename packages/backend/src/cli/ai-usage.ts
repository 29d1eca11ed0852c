import { totalUsage, type UsageTotal } from '../services/ai/index.ts';
import { defineCommand } from './framework/command.ts';
import { parseAge } from './framework/parse-values.ts';
import { isoTime, presentTable } from './framework/present.ts';

const DEFAULT_AGE_MS = 30 * 24 * 60 * 60 * 1000;

const headings = ['BY', 'FOR', 'MODEL', 'CALLS', 'FAILED', 'TOKENS IN', 'TOKENS OUT', 'MEAN TIME'] as const;

export const aiUsage = defineCommand({
  name: 'ai usage',
  arguments: [],
  options: {
    since: { value: '<age>', description: 'How far to look back, such as 36h or 7d (default: 30d).' },
  },
  summary: 'Shows who used which AI models: calls, tokens and times.',
  details: `Calls that failed, or that the client canceled, count as failed. Prompts and results are not stored.
When an endpoint does not report tokens, they are estimated at four characters each.`,
  async run({ options, terminal, json, project }) {
    const since = Date.now() - parseAge(options.since, DEFAULT_AGE_MS, '--since');
    const totals = await totalUsage(await project(), since);
    if (json) return terminal.print(JSON.stringify({ since: isoTime(since), usage: totals }, null, 2));
    if (totals.length === 0) return terminal.note('There were no AI calls.');
    terminal.print(presentTable(headings, totals.map(rowOf)));
    terminal.print(`\n${presentSum(totals)}`);
  },
});

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
