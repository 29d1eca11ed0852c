import type { Logger } from 'pino';
import type { Bus, ChangeEvent, Row } from '../../../core/bus.ts';
import type { Project } from '../../../database/project.ts';
import { FILES_TABLE, releaseBlobsOfGone, type StoredFile } from '../queries.ts';
import type { RemoveBlobs } from '../removal/remove-files.ts';
import { removeFilesOfRow } from './remove-with-row.ts';

export interface FollowDeletionsOptions {
  projects: ReadonlyMap<string, Project>;
  bus: Bus;
  log: Logger;
  removeBlobs: RemoveBlobs;
}

/**
 * Files go when the last row that named them goes or names another one, and their bytes with the files that a deleted
 * account leaves. Answers the function that stops this and waits for what is under way. Every process that changes or
 * deletes rows or accounts needs it.
 */
export function followDeletions(options: FollowDeletionsOptions): () => Promise<void> {
  const { projects, bus, log, removeBlobs } = options;
  const underWay = new Set<Promise<void>>();
  const unsubscribe = bus.subscribe((event) => {
    const project = projects.get(event.projectId);
    if (!project || event.operation === 'create') return;
    const removal = remove(event, project, removeBlobs)
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

async function remove(event: ChangeEvent, project: Project, removeBlobs: RemoveBlobs): Promise<void> {
  if (event.table !== FILES_TABLE) await removeFilesOfRow(event, project, removeBlobs);
  else if (event.before) await removeBlobs(await blobsOf(event.before, project));
}

/** Whoever deleted the row has released them, or it was deleted in SQL. */
async function blobsOf(file: Row, { database }: Project): Promise<string[]> {
  if (file.blobs !== undefined) return JSON.parse(String(file.blobs));
  return releaseBlobsOfGone(database, file as unknown as StoredFile);
}
