import type { Logger } from 'pino';
import type { Bus, ChangeEvent } from '../bus.ts';
import type { Project } from '../http/environment.ts';
import type { BlobStore } from './blob-store.ts';
import { FILES_TABLE } from './queries.ts';
import { removeFilesOfRow } from './remove-with-row.ts';

export interface FollowDeletionsOptions {
  projects: ReadonlyMap<string, Project>;
  bus: Bus;
  log: Logger;
  blobs: BlobStore;
}

/**
 * Files go with the rows that named them, and their bytes with the files that a deleted account leaves. Answers the
 * function that stops this and waits for what is under way. Every process that deletes rows or accounts needs it.
 */
export function followDeletions({ projects, bus, log, blobs }: FollowDeletionsOptions): () => Promise<void> {
  const underWay = new Set<Promise<void>>();
  const unsubscribe = bus.subscribe((event) => {
    const project = projects.get(event.projectId);
    if (!project || event.operation !== 'delete') return;
    const removal = remove(event, project, blobs)
      .catch((error) =>
        log.error({ err: error, table: event.table, id: event.id }, 'A file outlives its row.'),
      )
      .finally(() => underWay.delete(removal));
    underWay.add(removal);
  });
  return async () => {
    unsubscribe();
    await Promise.all(underWay);
  };
}

async function remove(event: ChangeEvent, project: Project, blobs: BlobStore): Promise<void> {
  if (event.table === FILES_TABLE) await blobs.remove(String(event.before?.blob));
  else await removeFilesOfRow(event, project, blobs);
}
