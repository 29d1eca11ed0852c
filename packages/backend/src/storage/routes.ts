import { join } from 'node:path';
import type { RemoveAnswer } from '@fabrica/contract';
import { downloadQuery, removeRequest } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Bus } from '../bus.ts';
import { parseJsonBody, parseWith } from '../http/body.ts';
import { requireSignedIn } from '../http/caller.ts';
import type { AppEnvironment, Project } from '../http/environment.ts';
import { ServiceError } from '../http/errors.ts';
import type { RateLimit, RateLimits } from '../http/rate-limit.ts';
import type { BlobStore } from './blob-store.ts';
import { createImageCheck } from './check-image.ts';
import { createDiskBlobStore } from './disk.ts';
import { fileName, parseFilePath } from './file-path.ts';
import { followDeletions } from './follow-deletions.ts';
import { presentPublicUrl } from './public-address.ts';
import { findFile } from './queries.ts';
import { receiveUpload } from './receive-upload.ts';
import { removeFiles } from './remove-files.ts';
import { serveFile } from './serve-file.ts';
import { storeUpload } from './store-upload.ts';

const UPLOADS: RateLimit = {
  name: 'upload',
  points: 200,
  duration: 3_600,
  message: 'Too many uploads. Please wait a moment and try again.',
};

export interface StorageOptions {
  /** Absolute; files lie in `<dataDir>/files`. */
  dataDir: string;
  /** What public addresses begin with. */
  publicUrl: string;
  projects: ReadonlyMap<string, Project>;
  bus: Bus;
  limits: RateLimits;
  log: Logger;
  /** Default: the disk. */
  blobs?: BlobStore;
}

export interface Storage {
  /** For `/api/storage/:projectId`. */
  apiRoutes: Hono<AppEnvironment>;
  /** For `/storage/:projectId`. */
  fileRoutes: Hono<AppEnvironment>;
  /** Waits for removals that are under way. */
  close(): Promise<void>;
}

export function createStorage(options: StorageOptions): Storage {
  const { dataDir, publicUrl, projects, bus, limits, log } = options;
  const blobs = options.blobs ?? createDiskBlobStore(join(dataDir, 'files'));
  const images = createImageCheck();

  const apiRoutes = new Hono<AppEnvironment>();

  apiRoutes.post('/upload', async (c) => {
    const { project } = c.var;
    const caller = requireSignedIn(c.var.caller);
    if (caller.kind === 'user') await limits.consume(UPLOADS, `${project.definition.id}:${caller.id}`);
    try {
      const upload = await receiveUpload(c.req.raw, blobs);
      return c.json(await storeUpload(upload, { project, caller, blobs, images, publicUrl }));
    } catch (error) {
      throw isDiskFull(error) ? diskFull(error) : error;
    }
  });

  apiRoutes.get('/download', async (c) => {
    const { project } = c.var;
    const query = parseWith(downloadQuery, c.req.query());
    const file = await findFile(project.database, parseFilePath(query.path));
    if (!file) throw new ServiceError('FILE_NOT_FOUND', 'File not found');
    const filename = query.filename?.trim() || fileName(file.path);
    const address = presentPublicUrl(publicUrl, project.definition.id, file);
    return c.json({
      downloadUrl: `${address}&download=${encodeURIComponent(filename.toWellFormed())}`,
      filename,
      contentType: file.content_type,
      size: file.size,
    });
  });

  apiRoutes.delete('/remove', async (c) => {
    const caller = requireSignedIn(c.var.caller);
    const { paths } = await parseJsonBody(c, removeRequest);
    const removed = await removeFiles(paths, { project: c.var.project, caller, blobs });
    return c.json({ removed } satisfies RemoveAnswer);
  });

  const fileRoutes = new Hono<AppEnvironment>();
  fileRoutes.get('/*', (c) => serveFile(c, { projects, blobs }));
  fileRoutes.all('/*', () => {
    throw new ServiceError('METHOD_NOT_ALLOWED', 'Files are read here with GET and HEAD.');
  });

  const finishRemovals = followDeletions({ projects, bus, log, blobs });
  return {
    apiRoutes,
    fileRoutes,
    async close() {
      images.close();
      await finishRemovals();
    },
  };
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

function diskFull(cause: unknown): ServiceError {
  return new ServiceError('STORAGE_FULL', 'There is no room for this file on the server at the moment.', {
    cause,
  });
}
