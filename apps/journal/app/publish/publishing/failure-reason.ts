import { AuthError, FabricaError } from '@fabrica/client';
import { NotAnImageError } from './upload-image.ts';

/** Why something that an author asked for did not happen. */
export type FailureReason =
  | 'session-ended'
  | 'offline'
  | 'forbidden'
  | 'gone'
  | 'not-an-image'
  | 'unreadable'
  | 'too-large'
  | 'storage-full'
  | 'quota-exceeded'
  /** Another tab is at it. */
  | 'elsewhere'
  | 'unknown';

export function failureReason(error: unknown): FailureReason {
  if (error instanceof NotAnImageError) return 'not-an-image';
  if (error instanceof AuthError) return 'session-ended';
  if (!(error instanceof FabricaError)) return 'unknown';
  switch (error.code) {
    case 'FORBIDDEN':
      return 'forbidden';
    case 'NOT_FOUND':
      return 'gone';
    case 'FILE_UNREADABLE':
      return 'unreadable';
    case 'UNSUPPORTED_MEDIA_TYPE':
      return 'not-an-image';
    case 'PAYLOAD_TOO_LARGE':
      return 'too-large';
    case 'STORAGE_FULL':
      return 'storage-full';
    case 'QUOTA_EXCEEDED':
      return 'quota-exceeded';
    case 'NETWORK_ERROR':
      return error.status === null ? 'offline' : 'unknown';
    default:
      return 'unknown';
  }
}
