import type { Row } from '../../../core/bus.ts';
import type { Caller } from '../../../core/caller.ts';
import { AppError } from '../../../core/errors.ts';
import type { WriteLimits } from '../../../core/project.ts';
import type { WriteQuota } from '../../../database/port.ts';
import { dailyBytesUsed } from '../../../database/write/written-bytes.ts';
import type { RateLimit, RateLimits } from '../../../http/rate-limit.ts';

const DEFAULTS = { rowsPerMinute: 1_000, bytesPerMinute: 10_000_000 };
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

interface WriteLimitsOptions {
  limits: RateLimits;
  /** Bytes of rows that an account may write in a day; 0: any number. */
  rowsQuota: number;
}

interface LimitedWrite {
  projectId: string;
  /** The name of the table, and the limits that its definition sets. */
  table: string;
  limits: WriteLimits | undefined;
  caller: Caller;
  clientIp: string;
}

/** The limits on one request that writes. Each function throws RATE_LIMITED. */
export interface RequestLimits {
  /** Counts the request; called before its body is read. */
  countRequest(): Promise<void>;
  /** Counts the rows that the request creates, or the values that it updates rows with. */
  countSent(rows: readonly Row[], operation: 'create' | 'update'): Promise<void>;
  /** Counts the rows that an update has changed. It never throws: the next request is refused instead. */
  countUpdated(rows: number): Promise<void>;
  /** The quota that the transaction of the write must keep. */
  quota: WriteQuota | undefined;
}

const UNLIMITED: RequestLimits = {
  async countRequest() {},
  async countSent() {},
  async countUpdated() {},
  quota: undefined,
};

/** Returns the limits on the writes of requests. The secret key has none. */
export function createWriteLimits({ limits: counts, rowsQuota }: WriteLimitsOptions) {
  return ({ projectId, table, limits = {}, caller, clientIp }: LimitedWrite): RequestLimits => {
    if (caller.kind === 'service') return UNLIMITED;
    const { rowsPerMinute, bytesPerMinute } = { ...DEFAULTS, ...limits };
    const name = `write:${projectId}:${table}`;
    const rowLimit: RateLimit = {
      name: `${name}:rows`,
      points: rowsPerMinute,
      duration: MINUTE_S,
      message: `One account may write ${rowsPerMinute} rows a minute here. Please wait a moment and try again.`,
    };
    const byteLimit: RateLimit = {
      name: `${name}:bytes`,
      points: bytesPerMinute,
      duration: MINUTE_S,
      message: `One account may write ${bytesPerMinute} bytes a minute here. Please wait a moment and try again.`,
    };
    const now = Date.now();
    const consume = (limit: RateLimit, calls = 1, scope = '') =>
      caller.kind === 'user'
        ? counts.consume(limit, scope + caller.id, calls)
        : counts.consumeByIp(limit, clientIp, { scope, calls });

    /** Transactions count the bytes of accounts; without an account, the bytes of an IP address are counted here. */
    async function countAnonymousBytes(bytes: number): Promise<void> {
      if (caller.kind === 'user' || rowsQuota === 0) return;
      const { message } = dailyBytesUsed(rowsQuota, now);
      const limit: RateLimit = { name: `write:${projectId}`, points: rowsQuota, duration: DAY_S, message };
      await consume(limit, bytes);
    }

    return {
      countRequest: () => consume(rowLimit),
      async countSent(rows, operation) {
        await consume(rowLimit, Math.max(0, rows.length - 1));
        const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0);
        await consume(byteLimit, bytes);
        if (operation === 'create') {
          for (const [column, points] of Object.entries(limits.rowsPerHour ?? {})) {
            const limit: RateLimit = {
              name: `${name}:${column}`,
              points,
              duration: HOUR_S,
              message: `One account may add ${points} rows an hour here. Please wait a while and try again.`,
            };
            for (const [value, number] of countValues(rows, column)) {
              await consume(limit, number, `${JSON.stringify(value)}:`);
            }
          }
        }
        await countAnonymousBytes(bytes);
      },
      async countUpdated(rows) {
        await consume(rowLimit, Math.max(0, rows - 1)).catch((error) => {
          if (!(error instanceof AppError)) throw error;
        });
      },
      quota:
        caller.kind === 'user' && rowsQuota > 0 && counts.enabled
          ? { userId: caller.id, now, bytes: rowsQuota }
          : undefined,
    };
  };
}

export type LimitWrite = ReturnType<typeof createWriteLimits>;

function bytesOf(row: Row): number {
  let bytes = 0;
  for (const value of Object.values(row)) if (typeof value === 'string') bytes += Buffer.byteLength(value);
  return bytes;
}

/** Returns how many rows hold each value of a column. */
function countValues(rows: readonly Row[], column: string): Map<unknown, number> {
  const counts = new Map<unknown, number>();
  for (const row of rows) counts.set(row[column], (counts.get(row[column]) ?? 0) + 1);
  return counts;
}
