import { IMAGE_WIDTHS } from '@fabrica/contract';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Images } from '../images/images.ts';
import { hasVariants, variantContentType } from '../images/variants.ts';
import { fileNotFound, requireFile, type StoredFile } from '../queries.ts';
import { parsePublicUrl } from './public-url.ts';
import { missingBytes } from './send-blob.ts';

/** Pixels of the longer side, but for a picture of which no variant is as small. */
const MAX_SIDE = 960;

export interface PictureBytes {
  bytes: Uint8Array;
  contentType: string;
}

/**
 * Reads a stored picture of the project by its public URL, as a JPEG of at most 960 pixels without metadata. Nothing is
 * fetched: the URL's path names the file. Throws FILE_NOT_FOUND for any other URL, FILE_UNREADABLE for a file of which no
 * variants are made (a drawing, an animation), and FILE_NOT_READY.
 */
export type ReadPicture = (project: Project, url: string) => Promise<PictureBytes>;

export function createReadPicture({ blobs, images }: { blobs: BlobStore; images: Images }): ReadPicture {
  return async (project, url) => {
    const named = parsePublicUrl(url);
    if (named?.projectId !== project.definition.id) throw fileNotFound();
    const found = await requireFile(project.database, named.path);
    const stored = { project, file: await images.describe({ project, file: found }) };
    if (!hasVariants(stored.file)) {
      throw new AppError('FILE_UNREADABLE', 'This file is no picture of which a smaller one can be made.');
    }
    const variant = { width: smallWidth(stored.file), format: 'jpeg' } as const;
    const blob = await images.variant(stored, variant);
    const body = await blobs.read(blob.key);
    if (!body) throw await missingBytes(stored, blob.key);
    const bytes = new Uint8Array(await new Response(body).arrayBuffer());
    return { bytes, contentType: variantContentType(variant) };
  };
}

/** Returns the largest width of variants in which neither side is too long, or else the smallest one. */
function smallWidth({ width, height }: StoredFile): number {
  const own = width ?? MAX_SIDE;
  const ratio = (height ?? own) / own;
  const widths = IMAGE_WIDTHS.map((one) => Math.min(one, own));
  const fitting = widths.filter((one) => one <= MAX_SIDE && one * ratio <= MAX_SIDE);
  return fitting.length > 0 ? Math.max(...fitting) : Math.min(...widths);
}
