import { z } from 'zod';
import { listSetting, type SettingsValues } from '../core/settings.ts';

/** Bounds of the look-ups of names. */
interface LookupLimits {
  /** Milliseconds for one look-up. */
  timeoutMs: number;
  /** Look-ups at a time, of all accounts and of one. */
  concurrency: number;
  perAccount: number;
}

export const DEFAULT_LOOKUP_LIMITS: LookupLimits = { timeoutMs: 3_000, concurrency: 128, perAccount: 8 };

export const fetcherSettings = {
  DATA_ALLOW_HOSTS: listSetting
    .pipe(
      z.array(z.string().regex(/^(\[[\da-fA-F:.]+\]|[^\s:/@]+):\d{1,5}$/), {
        error: 'must be pairs such as wiki.intern:8080, with commas between them',
      }),
    )
    .describe('Private hosts, as `host:port`, that fetching for users may reach; separated by commas.'),
  DNS_TIMEOUT: z.coerce
    .number()
    .int()
    .min(1)
    .max(30)
    .default(DEFAULT_LOOKUP_LIMITS.timeoutMs / 1_000)
    .describe('Seconds that looking up the name of a host for a user may take.'),
};

export interface FetcherSettings {
  /** `host:port` pairs that may be fetched although they are private. */
  allowHosts: readonly string[];
  lookups: LookupLimits;
}

export function readFetcherSettings(values: SettingsValues<typeof fetcherSettings>): FetcherSettings {
  return {
    allowHosts: values.DATA_ALLOW_HOSTS,
    lookups: { ...DEFAULT_LOOKUP_LIMITS, timeoutMs: values.DNS_TIMEOUT * 1_000 },
  };
}
