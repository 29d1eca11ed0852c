import { z } from 'zod';
import { listSetting } from '../core/settings.ts';

export const fetcherSettings = {
  DATA_ALLOW_HOSTS: listSetting
    .pipe(
      z.array(z.string().regex(/^(\[[\da-fA-F:.]+\]|[^\s:/@]+):\d{1,5}$/), {
        error: 'must be pairs such as wiki.intern:8080, with commas between them',
      }),
    )
    .describe('Private hosts, as `host:port`, that fetching for users may reach; separated by commas.'),
};

export interface FetcherSettings {
  /** `host:port` pairs that may be fetched although they are private. */
  allowHosts: readonly string[];
}
