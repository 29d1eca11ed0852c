import { FabricaError } from '@fabrica/client';
import type { LanguageState } from '../language/language-provider.tsx';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;

/** Says when to try again, for the error of a limit that the server has on what one does; undefined for other errors. */
export function describeTooMany(
  error: unknown,
  { m, language }: Pick<LanguageState, 'm' | 'language'>,
): string | undefined {
  if (!(error instanceof FabricaError) || error.code !== 'RATE_LIMITED') return undefined;
  const { retryAfter: seconds = MINUTE_SECONDS } = error;
  const [amount, unit] =
    seconds > 1.5 * HOUR_SECONDS
      ? ([seconds / HOUR_SECONDS, 'hour'] as const)
      : ([seconds / MINUTE_SECONDS, 'minute'] as const);
  return m.layout.tooMany(new Intl.RelativeTimeFormat(language).format(Math.ceil(amount), unit));
}
