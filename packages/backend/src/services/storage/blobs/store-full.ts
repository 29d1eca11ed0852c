import { AppError } from '../../../core/errors.ts';

export function storeFull(cause: unknown): AppError {
  return new AppError('STORAGE_FULL', 'There is no room for this file on the server at the moment.', {
    cause,
  });
}
