import type { Messages } from '../../language/load-messages.ts';
import type { Failed } from '../publishing/publisher.ts';
import type { TranslationFault } from './translate-part.ts';

/** Why translations are missing, in sentences: each once. */
export function describeFaults(missing: readonly { fault: TranslationFault }[], m: Messages): string {
  const faults = new Set(missing.map(({ fault }) => fault));
  return [...faults].map((fault) => m.publish.translations.faults[fault]).join(' ');
}

/** Why a post's translations could not be asked for again, or not be kept. */
export function describeRetryFailure({ reason }: Failed, m: Messages): string {
  const { retryFailed } = m.publish.translations;
  switch (reason) {
    case 'session-ended':
    case 'offline':
    case 'gone':
    case 'elsewhere':
      return retryFailed[reason];
    default:
      return retryFailed.unknown;
  }
}
