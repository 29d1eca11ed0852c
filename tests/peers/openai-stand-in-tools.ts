/** How the stand-in for an OpenAI-compatible endpoint wants a search, before it answers. */

export interface CallTool {
  kind: 'call-tool';
  /** What it looks for; in a second round `query 2`, and so on. */
  query: string;
  /** How many times it wants to; once, if left out. */
  rounds?: number;
  /** How many searches at once; one, if left out. */
  atOnce?: number;
  /** Says this with each wish. */
  saying?: string;
  /** Thinks this before. */
  thinking?: string;
  /** Its arguments as they are, in place of the query. */
  arguments?: string;
}

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

interface Asked {
  tools: readonly string[];
  messages: readonly { role: string; toolCalls?: readonly ToolCall[] }[];
}

/** What it wants now; none when it was offered no tool, or has been told enough. */
export function toolCallsOf(rule: { kind: string } | undefined, { tools, messages }: Asked): ToolCall[] {
  const [name] = tools;
  if (!isCallTool(rule) || name === undefined) return [];
  const round = messages.filter(({ toolCalls }) => toolCalls).length + 1;
  if (round > (rule.rounds ?? 1)) return [];
  const query = round === 1 ? rule.query : `${rule.query} ${round}`;
  return Array.from({ length: rule.atOnce ?? 1 }, (_, index) => ({
    id: `call-${round}-${index + 1}`,
    type: 'function',
    function: { name, arguments: rule.arguments ?? JSON.stringify({ query }) },
  }));
}

/** Tool calls as OpenAI streams them: the name first, then the arguments in pieces. */
export function toolDeltas(calls: readonly ToolCall[]): object[] {
  return calls.flatMap(({ id, type, function: { name, arguments: all } }, index) => [
    { tool_calls: [{ index, id, type, function: { name, arguments: '' } }] },
    ...(all.match(/[\s\S]{1,7}/g) ?? []).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ]);
}

function isCallTool(rule: { kind: string } | undefined): rule is CallTool {
  return rule?.kind === 'call-tool';
}
