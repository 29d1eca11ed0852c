import type { Logger } from 'pino';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { SingleFlight } from '../../../runtime/single-flight.ts';
import { newBlobKey } from '../blobs/blob-store.ts';
import { withLocalCopy } from '../blobs/local-copy.ts';
import { isRasterImage } from '../blobs/media-type.ts';
import { describeStoredImage, fileNotFound, findFile, type StoredFile } from '../queries.ts';
import {
  createDerivedImages,
  type DerivedImagesOptions,
  type ProjectFile,
  type ServedBlob,
  type Source,
} from './derived-images.ts';
import type { Owner } from './image-process.ts';
import { backgroundVariants, presentVariantName, type Variant } from './variants.ts';

/** Milliseconds that a request waits for an image that has to be made first. */
const LONGEST_WAIT_MS = 30_000;
const RETRY_SECONDS = 5;
/** Milliseconds in which a failure is thrown again: an image that crashes the decoder would be asked for again at once. */
const FAILURE_MS = 60_000;

interface ImagesOptions extends DerivedImagesOptions {
  log: Logger;
}

/** Columns of a file's row that describe an image. */
type ImageColumns = Pick<StoredFile, 'width' | 'height' | 'animated' | 'placeholder' | 'served_blob'>;

/** Values for a file that is no image. */
export const NO_IMAGE: ImageColumns = {
  width: null,
  height: null,
  animated: null,
  placeholder: null,
  served_blob: null,
};

interface ReceivedImage {
  project: Project;
  localPath: string;
  owner: Owner;
}

/** Makes cleaned versions and variants of stored images, each once, and stores them. */
export interface Images {
  /** Inspects a received image. Throws FILE_UNREADABLE when it is damaged, incomplete or too large. */
  inspect(received: ReceivedImage): Promise<ImageColumns>;
  /** Writes an image that browsers do not show as a JPEG or PNG to `target`. Throws FILE_UNREADABLE. */
  convert(image: Omit<ReceivedImage, 'project'>, target: string): Promise<void>;
  /** Returns the file with its image columns; an image that was stored before these existed is inspected first. */
  describe(stored: ProjectFile): Promise<StoredFile>;
  /**
   * Returns the blob that is served: never an original that needs cleaning. Throws FILE_NOT_READY when cleaning takes
   * too long, FILE_NOT_FOUND when the file is deleted meanwhile.
   */
  served(stored: ProjectFile): Promise<ServedBlob>;
  /** Returns a variant of an image, no wider than the image. Throws as `served` does. */
  variant(stored: ProjectFile, variant: Variant): Promise<ServedBlob>;
  /** Makes the cleaned version and the common widths in the background, after what requests wait for. */
  prepare(stored: ProjectFile): void;
  /** Resolves when the background work is done. */
  prepared(): Promise<void>;
  /** Cancels the work in progress. */
  close(): Promise<void>;
}

export function createImages({ blobs, temporaryFiles, process, log }: ImagesOptions): Images {
  const { clean, render } = createDerivedImages({ blobs, temporaryFiles, process });
  const flights = new SingleFlight({ failureMs: FAILURE_MS });
  /** One image after the other. */
  let preparing: Promise<void> = Promise.resolve();
  let closed = false;

  async function inspect({ project, localPath, owner }: ReceivedImage): Promise<ImageColumns> {
    const { width, height, placeholder, animated, needsCleaning } = await process.inspect(localPath, owner);
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
      withLocalCopy(blobs, file.blob, (localPath) => inspect({ project, localPath, owner: file.user_id })),
    );
    if (!described) throw fileNotFound();
    await describeStoredImage(project.database, file, described);
    // Another process may have been faster, and have stored another key for the cleaned version.
    return (await findFile(project.database, file.path)) ?? { ...file, ...described };
  }

  function cleanOnce(stored: Source, urgent: boolean): Promise<ServedBlob> {
    const { blob, size, served_blob: key } = stored.file;
    if (key === null) return Promise.resolve({ key: blob, size });
    return flights.run(key, urgent, (priority) => clean(stored, key, priority));
  }

  function renderOnce(stored: Source, variant: Variant, urgent: boolean): Promise<ServedBlob> {
    const name = `${stored.file.blob} ${presentVariantName(variant)}`;
    return flights.run(name, urgent, (priority) => render(stored, variant, priority));
  }

  /** Makes everything from one local copy. */
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
    convert: ({ localPath: source, owner }, target) =>
      process.make({ kind: 'convert', source, target }, { owner, priority: { urgent: true } }),
    describe,
    served: (stored) => withinTime(cleanOnce(stored, true)),
    variant: (stored, variant) => withinTime(renderOnce(stored, variant, true)),
    prepare(stored) {
      preparing = preparing
        .then(() => prepare(stored))
        .catch((error) => {
          if (closed || (error instanceof AppError && error.code === 'FILE_NOT_FOUND')) return;
          log.error({ err: error, path: stored.file.path }, 'The variants of an image could not be made.');
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
