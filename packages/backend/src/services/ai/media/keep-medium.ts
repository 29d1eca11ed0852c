import type { UploadResponse } from '@fabrica/contract';
import type { Context } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AiContext } from '../context.ts';

/**
 * Keeps what a model has made as the caller's own. Throws AI_FAILED for a picture that is broken or enormous, and what storage
 * throws of its own: QUOTA_EXCEEDED, STORAGE_FULL.
 */
export async function keepMedium(
  { var: { project, caller } }: Context<AppEnvironment>,
  { saveFile }: AiContext,
  made: { bytes: Uint8Array; path: string },
): Promise<UploadResponse> {
  try {
    return await saveFile({ project, caller, ...made });
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
