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
import { findFile } from './queries.ts';
import { followDeletions } from './removal/follow-deletions.ts';
import { createRemoveBlobs, removeFiles } from './removal/remove-files.ts';
import { createSaveFile, type SaveFile } from './save-file.ts';
import { presentDownload } from './serving/present-download.ts';
import { createServeCached, type ServeCached } from './serving/serve-cached.ts';
import { serveFile } from './serving/serve-file.ts';
import { serveOriginal } from './serving/serve-original.ts';
import { createVariantCache } from './serving/variant-cache.ts';
import { receiveUpload } from './uploads/receive-upload.ts';
import { storeUpload } from './uploads/store-upload.ts';

const UPLOADS: RateLimit = {
  name: 'upload',
  points: 200,
  duration: 3_600,
  message: 'Too many uploads. Please wait a moment and try again.',
};

export interface StorageOptions {
  /** Where uploads arrive; see `openBlobs`, which makes the two. */
  temporaryFiles: TemporaryFiles;
  blobs: BlobStore;
  /** What public addresses begin with. */
  publicUrl: string;
  /** Bytes that the files of one user may take together; 0: any number. */
  quota: number;
  projects: ReadonlyMap<string, Project>;
  bus: Bus;
  limits: RateLimits;
  log: Logger;
}

export interface Storage {
  /** For `/api/storage/:projectId`. */
  routes: Hono<AppEnvironment>;
  /** For `/storage/:projectId`. */
  fileRoutes: Hono<AppEnvironment>;
  /** Answers at once what is asked for most, and nothing else: to be asked before the routes are. */
  serveCached: ServeCached;
  /** For what services make on a caller's behalf. */
  saveFile: SaveFile;
  /** Waits for the widths of pictures that are made behind the uploads. */
  prepared(): Promise<void>;
  /** Gives up what is being made, and waits for removals that are under way. */
  close(): Promise<void>;
}

export function createStorage(options: StorageOptions): Storage {
  const { temporaryFiles, blobs, publicUrl, quota, projects, bus, limits, log } = options;
  const databases = [...projects.values()].map(({ database }) => database);
  const foreignCommits = () => databases.reduce((sum, database) => sum + database.foreignCommits(), 0);
  const kept = createVariantCache({ foreignCommits });
  const removeBlobs = createRemoveBlobs(blobs, kept);
  const images = createImages({ blobs, temporaryFiles, process: createImageProcess(), log });

  const shelf = { temporaryFiles, blobs, removeBlobs, images, publicUrl, quota };
  const routes = new Hono<AppEnvironment>();

  routes.post('/upload', async (c) => {
    const { project } = c.var;
    const caller = requireSignedIn(c.var.caller);
    if (caller.kind === 'user') await limits.consume(UPLOADS, `${project.definition.id}:${caller.id}`);
    try {
      const upload = await receiveUpload(c.req.raw, temporaryFiles);
      return c.json(await storeUpload(upload, { ...shelf, project, caller }));
    } catch (error) {
      throw isStoreFull(error) ? storeFull(error) : error;
    }
  });

  routes.get('/download', async (c) => {
    const { project } = c.var;
    const query = parseWith(downloadQuery, c.req.query());
    const file = await findFile(project.database, parseFilePath(query.path));
    if (!file) throw new AppError('FILE_NOT_FOUND', 'File not found');
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
  fileRoutes.get('/*', (c) => serveFile(c, { projects, blobs, images, kept }));
  fileRoutes.all('/*', () => {
    throw new AppError('METHOD_NOT_ALLOWED', 'Files are read here with GET and HEAD.');
  });

  const finishRemovals = followDeletions({ projects, bus, log, removeBlobs });
  return {
    routes,
    fileRoutes,
    serveCached: createServeCached(kept, log),
    saveFile: createSaveFile(shelf),
    prepared: images.prepared,
    async close() {
      await images.close();
      await finishRemovals();
    },
  };
}
