import type { Logger } from 'pino';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { newBlobKey } from '../blobs/blob-store.ts';
import { withLocalCopy } from '../blobs/local-copy.ts';
import { isRasterImage } from '../blobs/media-type.ts';
import { describeStoredImage, findFile, type StoredFile } from '../queries.ts';
import {
  createDerivedImages,
  type DerivedImagesOptions,
  fileNotFound,
  type ProjectFile,
  type ServedBlob,
  type Source,
} from './derived-images.ts';
import { createSingleFlight } from './single-flight.ts';
import { backgroundVariants, presentVariantName, type Variant } from './variants.ts';

/** A reader waits no longer for what has to be made first. */
const LONGEST_WAIT_MS = 30_000;
const RETRY_SECONDS = 5;

export interface ImagesOptions extends DerivedImagesOptions {
  log: Logger;
}

/** What a file's row says of the picture in it. */
export type ImageColumns = Pick<StoredFile, 'width' | 'height' | 'animated' | 'placeholder' | 'served_blob'>;

/** Of a file that is none. */
export const NO_IMAGE: ImageColumns = {
  width: null,
  height: null,
  animated: null,
  placeholder: null,
  served_blob: null,
};

/** What is made of stored pictures: once, however many ask for it, and kept in the store. */
export interface Images {
  /** Looks at a picture that has arrived. Throws FILE_UNREADABLE when it is broken, cut off or enormous. */
  inspect(project: Project, localPath: string): Promise<ImageColumns>;
  /** The file with its size, animation and cleaned version known, which pictures of long ago are looked at for first. */
  describe(stored: ProjectFile): Promise<StoredFile>;
  /**
   * What everybody reads of a file: never an original that needs cleaning. Throws FILE_NOT_READY when that takes too
   * long, FILE_NOT_FOUND when the file goes meanwhile.
   */
  served(stored: ProjectFile): Promise<ServedBlob>;
  /** Of a picture, no wider than it is. Throws as `served` does. */
  variant(stored: ProjectFile, variant: Variant): Promise<ServedBlob>;
  /** Makes the cleaned version and the widths that are asked for most, behind what readers wait for. */
  prepare(stored: ProjectFile): void;
  /** Waits for all that is being prepared. */
  prepared(): Promise<void>;
  /** Gives up what is under way. */
  close(): Promise<void>;
}

export function createImages({ blobs, temporaryFiles, process, log }: ImagesOptions): Images {
  const { clean, render } = createDerivedImages({ blobs, temporaryFiles, process });
  const flights = createSingleFlight();
  /** One picture after the other. */
  let preparing: Promise<void> = Promise.resolve();
  let closed = false;

  async function inspect(project: Project, localPath: string): Promise<ImageColumns> {
    const { width, height, placeholder, animated, needsCleaning } = await process.inspect(localPath);
    return {
      width,
      height,
      placeholder,
      animated: Number(animated),
      served_blob: needsCleaning ? newBlobKey(project.definition.id) : null,
    };
  }

  async function describe({ project, file }: ProjectFile): Promise<StoredFile> {
    if (file.width !== null || !isRasterImage(file.content_type)) return file;
    const described = await flights.run(`describe ${file.blob}`, true, () =>
      withLocalCopy(blobs, file.blob, (source) => inspect(project, source)),
    );
    if (!described) throw fileNotFound();
    await describeStoredImage(project.database, file, described);
    // Another process may have been quicker, and have made the cleaned version under another key.
    return (await findFile(project.database, file.path)) ?? { ...file, ...described };
  }

  function cleanOnce(stored: Source, urgent: boolean): Promise<ServedBlob> {
    const { blob, size, served_blob: key } = stored.file;
    if (key === null) return Promise.resolve({ key: blob, size });
    return flights.run(key, urgent, (urgency) => clean(stored, key, urgency));
  }

  function renderOnce(stored: Source, variant: Variant, urgent: boolean): Promise<ServedBlob> {
    const name = `${stored.file.blob} ${presentVariantName(variant)}`;
    return flights.run(name, urgent, (urgency) => render(stored, variant, urgency));
  }

  /** All of it from one copy, where the store has to be asked for one. */
  async function prepare(stored: ProjectFile): Promise<void> {
    if (closed || !isRasterImage(stored.file.content_type)) return;
    await withLocalCopy(blobs, stored.file.blob, async (copy) => {
      await cleanOnce({ ...stored, copy }, false);
      for (const variant of backgroundVariants(stored.file)) {
        if (closed) return;
        await renderOnce({ ...stored, copy }, variant, false);
      }
    });
  }

  return {
    inspect,
    describe,
    served: (stored) => withinTime(cleanOnce(stored, true)),
    variant: (stored, variant) => withinTime(renderOnce(stored, variant, true)),
    prepare(stored) {
      preparing = preparing
        .then(() => prepare(stored))
        .catch((error) => {
          if (closed || (error instanceof AppError && error.code === 'FILE_NOT_FOUND')) return;
          log.error({ err: error, path: stored.file.path }, 'A picture could not be prepared.');
        });
    },
    prepared: () => preparing,
    async close() {
      closed = true;
      process.close();
      await preparing;
      await flights.settled();
    },
  };
}

function withinTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLong = setTimeout(() => {
      const sentence = 'This picture is being prepared. Please try again in a moment.';
      reject(new AppError('FILE_NOT_READY', sentence, { retryAfter: RETRY_SECONDS }));
    }, LONGEST_WAIT_MS);
    work.then(resolve, reject).finally(() => clearTimeout(tooLong));
  });
}
