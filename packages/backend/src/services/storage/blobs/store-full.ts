import { ServiceError } from '../../../core/errors.ts';

export function storeFull(cause: unknown): ServiceError {
  return new ServiceError('STORAGE_FULL', 'There is no room for this file on the server at the moment.', {
    cause,
  });
}
