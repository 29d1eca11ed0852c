import type { Logger } from 'pino';
import type { Bus, ChangeEvent } from '../../../core/bus.ts';
import type { Project } from '../../../database/project.ts';
import { FILES_TABLE } from '../queries.ts';
import type { RemoveBlobs } from '../removal/remove-files.ts';
import { removeFilesOfRow } from './remove-with-row.ts';

interface FollowDeletionsOptions {
  projects: ReadonlyMap<string, Project>;
  bus: Bus;
  log: Logger;
  removeBlobs: RemoveBlobs;
}

/**
 * Removes files when the last row that refers to them is deleted or changed, and the bytes of a deleted account's files.
 * Returns a function that stops this and waits for the removals in progress. Every process that changes or deletes rows
 * or accounts needs it. What SQL deletes is left to the sweep.
 */
export function followDeletions(options: FollowDeletionsOptions): () => Promise<void> {
  const { projects, bus, log, removeBlobs } = options;
  const pending = new Set<Promise<void>>();
  const unsubscribe = bus.subscribe((event) => {
    const project = projects.get(event.projectId);
    if (!project || event.operation === 'create') return;
    const removal = remove(event, project, removeBlobs)
      .catch((error) =>
        log.error(
          { err: error, table: event.table, id: event.id },
          'A file of a deleted row could not be removed.',
        ),
      )
      .finally(() => pending.delete(removal));
    pending.add(removal);
  });
  return async () => {
    unsubscribe();
    await Promise.all(pending);
  };
}

async function remove(event: ChangeEvent, project: Project, removeBlobs: RemoveBlobs): Promise<void> {
  if (event.table !== FILES_TABLE) return removeFilesOfRow(event, project, removeBlobs);
  // The deletion of an account has released the bytes of its files already.
  await removeBlobs(JSON.parse(String(event.before?.blobs ?? '[]')));
}
