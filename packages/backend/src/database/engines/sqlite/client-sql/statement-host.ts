/**
 * The process that runs clients' statements (see `statement-process.ts`), one batch for each message: the statements
 * block a thread of it, and this one watches what they take.
 */
import { AppError } from '../../../../core/errors.ts';
import { packError } from '../../../../runtime/workers/carried-error.ts';
import { WorkerThread } from '../../../../runtime/workers/worker-thread.ts';
import { batchTimeout } from '../../../sql/statement-error.ts';
import type { StatementReply, StatementTask } from './run-statements.ts';

/** Milliseconds beyond its time in which a batch may end itself and finish its commit. */
const GRACE_MS = 2_000;

/** Bytes that this process may take. */
const MAX_MEMORY = 768 * 1024 * 1024;
const MEMORY_CHECK_MS = 100;

const thread = new WorkerThread<StatementTask>({
  script: new URL('statement-worker.ts', import.meta.url),
  name: 'statements',
});

// Once the server is gone, nobody waits for what is under way.
process.on('disconnect', end);
process.on('message', async (task: StatementTask) => {
  const tooLong = setTimeout(() => giveUp(batchTimeout(task.longestMs)), task.longestMs + GRACE_MS);
  const memory = setInterval(() => {
    if (process.memoryUsage.rss() > MAX_MEMORY) giveUp(tooMuchMemory());
  }, MEMORY_CHECK_MS);
  const reply = await run(task);
  clearTimeout(tooLong);
  clearInterval(memory);
  process.send?.(reply);
});

async function run(task: StatementTask): Promise<StatementReply> {
  try {
    return { result: await thread.call(task) };
  } catch (error) {
    return { error: packError(error), ends: false };
  }
}

function giveUp(reason: AppError): void {
  const reply: StatementReply = { error: packError(reason), ends: true };
  process.send?.(reply, end);
}

/** Kills this process: nothing else ends a thread that SQLite keeps busy. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

function tooMuchMemory(): AppError {
  return new AppError(
    'SQL_REFUSED',
    'This takes more memory than a batch is given, and nothing of it was written.',
  );
}
