import { AppError } from '../../../core/errors.ts';

/** FILE_UNREADABLE of an SVG; `reason` ends the sentence. */
export function unreadableDrawing(reason: string, cause?: unknown): AppError {
  return new AppError('FILE_UNREADABLE', `This drawing (SVG) cannot be read: ${reason}`, { cause });
}
