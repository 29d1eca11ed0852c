/**
 * The process that carries out clients' statements (see `statement-process.ts`), one batch a message: the statements
 * block a thread of it, and this one watches what they take.
 */
import { AppError } from '../../../../core/errors.ts';
import { packError } from '../../../../runtime/carried-error.ts';
import { WorkerThread } from '../../../../runtime/worker-thread.ts';
import { batchTimeout } from '../../../sql/statement-error.ts';
import type { StatementTask, TaskAnswer } from './statement-task.ts';

/** Milliseconds beyond its time in which a batch ends itself, where it can, and its commit comes to its end. */
const GRACE_MS = 2_000;

/** Bytes of this process, and milliseconds between two looks at them. */
const MOST_MEMORY = 768 * 1024 * 1024;
const LOOKS_APART_MS = 100;

const thread = new WorkerThread<StatementTask>({
  script: new URL('statement-worker.ts', import.meta.url),
  name: 'statements',
});

// Whatever is under way is for nobody any more once the server is gone.
process.on('disconnect', end);
process.on('message', async (task: StatementTask) => {
  const tooLong = setTimeout(() => giveUp(batchTimeout(task.longestMs)), task.longestMs + GRACE_MS);
  const memory = setInterval(() => {
    if (process.memoryUsage.rss() > MOST_MEMORY) giveUp(tooMuchMemory());
  }, LOOKS_APART_MS);
  const answer = await carryOut(task);
  clearTimeout(tooLong);
  clearInterval(memory);
  process.send?.(answer);
});

async function carryOut(task: StatementTask): Promise<TaskAnswer> {
  try {
    return { result: await thread.call(task) };
  } catch (error) {
    return { error: packError(error), ends: false };
  }
}

function giveUp(reason: AppError): void {
  const answer: TaskAnswer = { error: packError(reason), ends: true };
  process.send?.(answer, end);
}

/** Nothing else would end a thread that SQLite keeps busy. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

function tooMuchMemory(): AppError {
  return new AppError(
    'SQL_REFUSED',
    'This takes more memory than a batch is given, and nothing of it was written.',
  );
}
