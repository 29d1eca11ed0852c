import { serveTasks } from '../../../../runtime/workers/serve-tasks.ts';
import { presentSqliteError } from '../sqlite-error.ts';
import { FileQueue } from './file-queue.ts';
import { FreeSpace } from './free-space.ts';
import { openFile } from './open-file.ts';
import type { WriterTask } from './writer-tasks.ts';

/**
 * The writer's thread writes to the files of all projects: a group of tasks with one commit on each file, one file
 * after the other. In between it returns to the event loop, where further tasks come in.
 */
const queues = new Map<number, FileQueue>();
const spaces = new Map<number, FreeSpace>();
let woken = false;

const server = serveTasks<WriterTask>((id, task) => {
  try {
    if (task.kind === 'open') open(task);
    const queue = queues.get(task.file);
    if (!queue) throw new Error('A file is written to that is not open.');
    if (task.kind === 'open') server.reply(id, undefined);
    else queue.take(id, task);
  } catch (error) {
    server.fail(id, error);
  }
}, presentSqliteError);

function open(task: Extract<WriterTask, { kind: 'open' }>): void {
  const { file: number } = task;
  const file = openFile(task);
  const done = () => {
    spaces.get(number)?.stop();
    spaces.delete(number);
    queues.delete(number);
  };
  const queue = new FileQueue({ file, server, wake, done, timeouts: task });
  queues.set(number, queue);
  spaces.set(number, new FreeSpace({ file, isIdle: () => queue.idle }));
}

function wake(): void {
  if (!woken) setImmediate(work);
  woken = true;
}

async function work(): Promise<void> {
  woken = false;
  for (const [number, queue] of queues) {
    if (queue.ready) spaces.get(number)?.look();
    await queue.step();
    server.flush();
  }
  if ([...queues.values()].some((queue) => queue.ready)) wake();
}
