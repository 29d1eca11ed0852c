import { AuthError, FabricaError } from '@fabrica/client';
import { whenStaying } from './leaving.ts';
import { NotAnImageError, UnconvertedImageError } from './upload-image.ts';

/** Names the reason why something that an author started did not succeed. */
export type FailureReason =
  | 'session-ended'
  | 'offline'
  | 'forbidden'
  | 'gone'
  | 'not-an-image'
  | 'unreadable'
  | 'unconverted'
  | 'too-large'
  | 'storage-full'
  | 'quota-exceeded'
  /** Another tab is doing the same. */
  | 'elsewhere'
  /** The draft was changed on another device. */
  | 'stale'
  | 'unknown';

export interface Failed {
  kind: 'failed';
  reason: FailureReason;
  error: unknown;
}

/**
 * Runs the work under a lock that all tabs of a browser share. Returns a `Failed` when another tab holds the lock or
 * the work throws; never throws. The browser releases the locks of a page that is closed. On plain HTTP there are no
 * locks, and the work runs without one.
 */
export async function attempt<Outcome>(
  lock: string,
  work: () => Promise<Outcome>,
): Promise<Outcome | Failed> {
  try {
    if (!navigator.locks) return await work();
    return await navigator.locks.request(
      `fabrica_${lock}`,
      { ifAvailable: true },
      async (held): Promise<Outcome | Failed> =>
        held ? work() : { kind: 'failed', reason: 'elsewhere', error: undefined },
    );
  } catch (error) {
    await whenStaying();
    return { kind: 'failed', reason: failureReason(error), error };
  }
}

/** Returns the lock of the work on a draft: its translation or its publication. */
export function draftTask(draftId: string): string {
  return `draft_${draftId}`;
}

function failureReason(error: unknown): FailureReason {
  if (error instanceof NotAnImageError) return 'not-an-image';
  if (error instanceof UnconvertedImageError) return 'unconverted';
  if (error instanceof AuthError) return 'session-ended';
  if (!(error instanceof FabricaError)) return 'unknown';
  switch (error.code) {
    case 'FORBIDDEN':
      return 'forbidden';
    case 'NOT_FOUND':
      return 'gone';
    case 'STALE':
      return 'stale';
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
