import { z } from 'zod';
import { parseRedisUrl } from './broker/redis-location.ts';

export const realtimeSettings = {
  REDIS_URL: z
    .string()
    .refine(
      (url) => parseRedisUrl(url) !== undefined,
      'must be an address such as redis://:password@host:6379/0, redis+sentinel://:password@host1,host2,host3/name or redis+cluster://:password@host1,host2',
    )
    .optional()
    .describe(
      'Carries realtime messages and presence between nodes on a Redis or Valkey server (7 or later), such as `redis://redis.example.org:6379`. `redis+sentinel://host1,host2,host3/name` asks sentinels for the server (`?sentinel_password=` behind it is their own password), `redis+cluster://host1,host2` a cluster. Without it, there is one node.',
    ),
};

export interface RealtimeSettings {
  /** Undefined when this node is the only one. */
  redisUrl: string | undefined;
}
