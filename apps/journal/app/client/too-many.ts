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
  return describeWait(error.retryAfter, { m, language });
}

/** Says when to try again what one does too often. Takes the seconds that the server names, if it names any. */
export function describeWait(
  seconds: number = MINUTE_SECONDS,
  { m, language }: Pick<LanguageState, 'm' | 'language'>,
): string {
  const [amount, unit] =
    seconds > 1.5 * HOUR_SECONDS
      ? ([seconds / HOUR_SECONDS, 'hour'] as const)
      : ([seconds / MINUTE_SECONDS, 'minute'] as const);
  return m.layout.tooMany(new Intl.RelativeTimeFormat(language).format(Math.ceil(amount), unit));
}
