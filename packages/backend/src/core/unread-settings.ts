import type { Environment } from './settings.ts';

/** Shorter names of other programs (`HOME`, `SHELL`) are too close to ours by chance. */
const SHORTEST = 6;

/** Settings of earlier versions. What holds in their place stands in CHANGELOG.md. */
const FORMER = new Set(
  `
    ACCESS_TOKEN_SECONDS AI_NEW_ACCOUNT_CALLS AI_NEW_ACCOUNT_TOKENS AI_TIMEOUT BACKUP_S3_REGION
    CHROMIUM_PATH CONNECTIONS_PER_IP CROSSREF_URL DATA_NEW_ACCOUNT_CALLS DATA_PROJECT_DAILY_CALLS
    DNS_CONCURRENCY DNS_CONCURRENCY_PER_ACCOUNT DNS_TIMEOUT DRAIN_SECONDS HSTS LOG_ONE_READ_IN
    METRICS_HOST NEW_ACCOUNT_MINUTES OTEL_TRACES_SAMPLER_ARG PASSWORD_TRIES PUBMED_URL
    REDIS_SENTINEL_PASSWORD SCREENSHOT_PAGES SCREENSHOT_PAGES_PER_ACCOUNT SCREENSHOT_TIMEOUT
    SCREENSHOT_WAITING_PER_ACCOUNT SECOND_FACTOR_TRIES SESSION_DAYS SIGN_INS_PER_NETWORK
    SIGN_UPS_PER_NETWORK
  `.split(/\s+/),
);

/**
 * Returns a sentence for each variable of the environment that nobody reads: settings of earlier versions, and names that differ
 * from a setting by a letter or two or by their underscores: `PUBLIC_URI`, `AI_BASEURL`.
 */
export function unreadSettings(environment: Environment, settings: readonly string[]): string[] {
  const known = new Set(settings.flatMap((name) => [name, `${name}_FILE`]));
  return Object.keys(environment).flatMap((name) => {
    if (FORMER.has(name)) return [`${name} is no longer a setting: CHANGELOG.md says what holds.`];
    if (known.has(name) || name.length < SHORTEST || !/^[A-Za-z][A-Za-z0-9_]+$/.test(name)) return [];
    const meant = settings.find((setting) => isClose(name, setting));
    return meant ? [`${name} is not a setting: ${meant} is probably meant.`] : [];
  });
}

function isClose(name: string, setting: string): boolean {
  const [one, other] = [name, setting].map((text) => text.replaceAll('_', '').toUpperCase()) as [
    string,
    string,
  ];
  const most = Math.min(one.length, other.length) >= 10 ? 2 : 1;
  return Math.abs(one.length - other.length) <= most && distance(one, other) <= most;
}

/** Returns how many letters have to be added, removed or replaced to make one text of the other (Levenshtein). */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = Number(above[column - 1]) + Number(one[row - 1] !== other[column - 1]);
      current.push(Math.min(replaced, Number(above[column]) + 1, Number(current[column - 1]) + 1));
    }
    above = current;
  }
  return Number(above.at(-1));
}
