import { ServiceError } from '../../../core/errors.ts';

/** FILE_UNREADABLE of an SVG; `reason` ends the sentence. */
export function unreadableDrawing(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('FILE_UNREADABLE', `This drawing (SVG) cannot be read: ${reason}`, { cause });
}
