import { AuthError, FabricaError } from '@fabrica/client';
import { describeTooMany } from '../client/too-many.ts';
import { NotAnImageError, UnconvertedImageError } from '../images/upload-image.ts';
import type { LanguageState } from '../language/language-provider.tsx';

/** Holds the language that notices are written in, and its messages. */
export type Reader = Pick<LanguageState, 'm' | 'language'>;

export function isSessionEnded(error: unknown): boolean {
  return error instanceof AuthError;
}

/** Returns a sentence that explains why nothing was published, or else that nothing is lost. */
export function describeFailure(error: unknown, reader: Reader): string {
  const { failure, image } = reader.m.publish;
  if (error instanceof NotAnImageError) return image.notAnImage;
  if (error instanceof UnconvertedImageError) return image.unconverted;
  if (!(error instanceof FabricaError)) return failure.kept;
  const reasons: Partial<Record<string, string>> = {
    FORBIDDEN: failure.forbidden,
    FILE_UNREADABLE: image.unreadable,
    UNSUPPORTED_MEDIA_TYPE: image.notAnImage,
    STORAGE_FULL: failure.storageFull,
    QUOTA_EXCEEDED: failure.quotaExceeded,
    NETWORK_ERROR: error.status === null ? failure.offline : undefined,
  };
  return reasons[error.code] ?? describeTooMany(error, reader) ?? failure.kept;
}
