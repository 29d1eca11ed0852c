import { serveTasks } from '@fabrica/backend/workers';
import { parseTree, TooComplex } from '../../project/markdown/parse-tree.ts';

export interface MarkdownTask {
  text: string;
  /** Milliseconds of processor time. */
  deadlineMs: number;
}

/** The tree as JSON, which the other thread reads in a third of the time of a structured clone; or why there is none. */
export type MarkdownReply = { tree: string } | { fault: TooComplex['fault'] };

const server = serveTasks<MarkdownTask>((id, { text, deadlineMs }) => {
  try {
    server.reply(id, replyTo(text, deadlineMs));
  } catch (error) {
    server.fail(id, error);
  }
});

function replyTo(text: string, deadlineMs: number): MarkdownReply {
  const end = processorMs() + deadlineMs;
  try {
    return { tree: JSON.stringify(parseTree(text, () => processorMs() > end)) };
  } catch (error) {
    if (error instanceof TooComplex) return { fault: error.fault };
    throw error;
  }
}

/** Returns the processor time of this thread. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
