import type { RemoveResponse } from '@fabrica/contract';
import { downloadQuery, removeRequest } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Bus } from '../../core/bus.ts';
import { requireSignedIn } from '../../core/caller.ts';
import { AppError } from '../../core/errors.ts';
import type { Project } from '../../database/project.ts';
import { parseJsonBody, parseWith } from '../../http/body.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import type { RateLimit, RateLimits } from '../../http/rate-limit.ts';
import { type BlobStore, isStoreFull, storeFull } from './blobs/blob-store.ts';
import { parseFilePath } from './blobs/file-path.ts';
import type { TemporaryFiles } from './blobs/temporary-files.ts';
import { createImageProcess } from './images/image-process.ts';
import { createImages } from './images/images.ts';
import { requireFile } from './queries.ts';
import { followDeletions } from './removal/follow-deletions.ts';
import { createRemoveBlobs, removeFiles } from './removal/remove-files.ts';
import { createSaveFile, type SaveFile } from './save-file.ts';
import { createFileChanges } from './serving/file-changes.ts';
import { presentDownload } from './serving/present-download.ts';
import { createReadPicture, type ReadPicture } from './serving/read-picture.ts';
import { serveFile } from './serving/serve-file.ts';
import { serveOriginal } from './serving/serve-original.ts';
import { receiveUpload } from './uploads/receive-upload.ts';
import { storeUpload } from './uploads/store-upload.ts';
import { createUploadsUnderWay } from './uploads/uploads-under-way.ts';

const UPLOADS: RateLimit = {
  name: 'upload',
  points: 200,
  duration: 3_600,
  message: 'Too many uploads. Please wait a moment and try again.',
};

export interface StorageOptions {
  /** Holds uploads while they are received; `openBlobs` returns it with `blobs`. */
  temporaryFiles: TemporaryFiles;
  blobs: BlobStore;
  /** Origin of the public URLs of files. */
  publicUrl: string;
  /** Bytes that the files of one user may have together; 0: any number. */
  quota: number;
  projects: ReadonlyMap<string, Project>;
  bus: Bus;
  limits: RateLimits;
  log: Logger;
}

export interface Storage {
  /** Mounted at `/api/storage/:projectId`. */
  routes: Hono<AppEnvironment>;
  /** Mounted at `/storage/:projectId`. */
  fileRoutes: Hono<AppEnvironment>;
  /** Saves a file that another service made for a caller. */
  saveFile: SaveFile;
  /** Reads a small version of a stored picture for another service. */
  readPicture: ReadPicture;
  /** Resolves when the image variants that uploads started in the background are made. */
  prepared(): Promise<void>;
  /** Cancels image work, and waits for the removals that are in progress. */
  close(): Promise<void>;
}

export function createStorage(options: StorageOptions): Storage {
  const { temporaryFiles, blobs, publicUrl, quota, projects, bus, limits, log } = options;
  const databases = [...projects.values()].map(({ database }) => database);
  const foreignCommits = () => databases.reduce((sum, database) => sum + database.foreignCommits(), 0);
  const changes = createFileChanges(foreignCommits);
  const removeBlobs = createRemoveBlobs(blobs, changes);
  const images = createImages({ blobs, temporaryFiles, process: createImageProcess(), log });

  const deps = { temporaryFiles, blobs, removeBlobs, images, publicUrl, quota };
  const beginUpload = createUploadsUnderWay(quota);
  const routes = new Hono<AppEnvironment>();

  routes.post('/upload', async (c) => {
    const { project } = c.var;
    const caller = requireSignedIn(c.var.caller);
    if (caller.kind === 'user') await limits.consume(UPLOADS, `${project.definition.id}:${caller.id}`);
    const underWay = await beginUpload(project, caller.kind === 'user' ? caller.id : undefined);
    let stored = false;
    try {
      const upload = await receiveUpload(c.req.raw, temporaryFiles, { count: underWay.count });
      const response = await storeUpload(upload, { ...deps, project, caller });
      stored = true;
      return c.json(response);
    } catch (error) {
      throw isStoreFull(error) ? storeFull(error) : error;
    } finally {
      underWay.end(stored);
    }
  });

  routes.get('/download', async (c) => {
    const { project } = c.var;
    const query = parseWith(downloadQuery, c.req.query());
    const file = await requireFile(project.database, parseFilePath(query.path));
    return c.json(await presentDownload(query.filename, { project, file, blobs, images, publicUrl }));
  });

  routes.get('/original', (c) => serveOriginal(c, blobs));

  routes.delete('/remove', async (c) => {
    const caller = requireSignedIn(c.var.caller);
    const { paths } = await parseJsonBody(c, removeRequest);
    const removed = await removeFiles(paths, { project: c.var.project, caller, removeBlobs });
    return c.json({ removed } satisfies RemoveResponse);
  });

  const fileRoutes = new Hono<AppEnvironment>();
  fileRoutes.get('/*', (c) => serveFile(c, { projects, blobs, images, changes }));
  fileRoutes.all('/*', () => {
    throw new AppError('METHOD_NOT_ALLOWED', 'Files are read here with GET and HEAD.');
  });

  const finishRemovals = followDeletions({ projects, bus, log, removeBlobs });
  return {
    routes,
    fileRoutes,
    saveFile: createSaveFile(deps),
    readPicture: createReadPicture({ blobs, images }),
    prepared: images.prepared,
    async close() {
      await images.close();
      await finishRemovals();
    },
  };
}
