/** Makes the stand-in for an OpenAI-compatible endpoint call the search tool before it responds. */
export interface CallTool {
  kind: 'call-tool';
  /** The query of the first round; that of a second round is `query 2`, and so on. */
  query: string;
  /** Default: 1. */
  rounds?: number;
  /** The searches of one round. Default: 1. */
  atOnce?: number;
  /** The text beside each call. */
  content?: string;
  /** The reasoning before each call. */
  reasoning?: string;
  /** The raw arguments, in place of the query. */
  arguments?: string;
}

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

interface OfferedTools {
  tools: readonly string[];
  messages: readonly { role: string; toolCalls?: readonly ToolCall[] }[];
}

/** Returns the tool calls of the next round: none without an offered tool, or after the last round. */
export function toolCallsOf(
  rule: { kind: string } | undefined,
  { tools, messages }: OfferedTools,
): ToolCall[] {
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

/** Returns tool calls as OpenAI streams them: the name first, then the arguments in pieces. */
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
