import { z } from 'zod';

export const realtimeSettings = {
  REDIS_URL: z
    .url({
      protocol: /^rediss?$/,
      hostname: /./,
      error: 'must be an address such as redis://:password@host:6379',
    })
    .regex(/^[^/]+\/\/[^/?#]+(\/\d*)?$/, 'must name a database by its number, such as redis://host:6379/1')
    .optional()
    .describe(
      'Carries realtime messages and presence between nodes on a Redis or Valkey server (7 or later), such as `redis://redis.example.org:6379`. Without it, there is one node.',
    ),
};

export interface RealtimeSettings {
  /** Undefined when this node is the only one. */
  redisUrl: string | undefined;
}
