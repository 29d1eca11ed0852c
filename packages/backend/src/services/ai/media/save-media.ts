import type { UploadResponse } from '@fabrica/contract';
import type { Context } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AiContext } from '../context.ts';

/**
 * Stores what a model has made as a file of the caller. Throws AI_FAILED for an image that is broken or too large, and
 * what storage throws: QUOTA_EXCEEDED, STORAGE_FULL.
 */
export async function saveMedia(
  { var: { project, caller } }: Context<AppEnvironment>,
  { saveFile }: AiContext,
  media: { bytes: Uint8Array; path: string },
): Promise<UploadResponse> {
  try {
    return await saveFile({ project, caller, ...media });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'FILE_UNREADABLE') throw error;
    throw new AppError(
      'AI_FAILED',
      'The model answered with a picture that cannot be read. Please try again.',
      {
        cause: error,
      },
    );
  }
}
