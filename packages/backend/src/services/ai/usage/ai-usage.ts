import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@fabrica/contract';
import type { Logger } from 'pino';
import type { Caller } from '../../../core/caller.ts';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import type { Capability } from '../settings.ts';
import { dayOf, recordCall, usedToday } from './queries.ts';

/** How a call ended: with success, by the caller’s disconnecting, or with an error code. */
export type Outcome = 'OK' | 'ABORTED' | ErrorCode;

/** Tokens of a call; null where the provider does not report them. */
export interface Tokens {
  inputTokens: number | null;
  outputTokens: number | null;
}

export interface UsageCall {
  project: Project;
  caller: Exclude<Caller, { kind: 'anonymous' }>;
  capability: Capability;
  /** Name of the model at the provider. */
  model: string;
  /** Tokens that the call may use; they count as used until it is over. */
  expected?: number;
}

/** A call that is under way. */
export interface CountedCall {
  /** Records the call. Only the first outcome counts. */
  end(outcome: Outcome, tokens?: Tokens): void;
}

/** Records AI calls and enforces quotas. Nothing of prompts or responses is recorded. */
export interface AiUsage {
  /**
   * Starts counting a call. Throws AI_QUOTA_EXCEEDED when the user has no quota left today; the service role has no
   * quota.
   */
  begin(call: UsageCall): Promise<CountedCall>;
  /**
   * Counts a call for as long as `run` takes. `report` takes the tokens as soon as they are known. Throws what `run`
   * throws, and AI_QUOTA_EXCEEDED.
   */
  track<T>(
    call: UsageCall & { signal: AbortSignal },
    run: (report: (tokens: Tokens) => void) => Promise<T>,
  ): Promise<T>;
  /** Waits until all calls are recorded. */
  close(): Promise<void>;
}

/** Calls and tokens of a user that are not recorded yet. */
interface Reserved {
  calls: number;
  tokens: number;
}

export interface AiUsageOptions {
  /** Calls of one user in a day (UTC); 0 is no limit. */
  dailyCalls: number;
  dailyTokens: number;
  log: Logger;
  /** Returns the current time in milliseconds since the epoch. */
  now?: () => number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function createAiUsage({ dailyCalls, dailyTokens, log, now = Date.now }: AiUsageOptions): AiUsage {
  /** Reservations by user. */
  const reservations = new Map<string, Reserved>();
  const writing = new Set<Promise<void>>();

  /** Reserves a call. Returns what was reserved before. */
  function reserve(key: string, tokens: number): Reserved {
    const reservedBefore = reservations.get(key) ?? { calls: 0, tokens: 0 };
    reservations.set(key, { calls: reservedBefore.calls + 1, tokens: reservedBefore.tokens + tokens });
    return reservedBefore;
  }

  function release(key: string, tokens: number): void {
    const now = reservations.get(key);
    if (!now || now.calls === 1) reservations.delete(key);
    else reservations.set(key, { calls: now.calls - 1, tokens: now.tokens - tokens });
  }

  /** Throws AI_QUOTA_EXCEEDED. `reservedBefore` counts as used, so that concurrent calls do not exceed the quota. */
  async function requireQuota({ project, caller }: UsageCall, reservedBefore: Reserved): Promise<void> {
    if (caller.kind === 'service' || (dailyCalls === 0 && dailyTokens === 0)) return;
    const used = await usedToday(project, caller.id, now());
    const spent =
      (dailyCalls > 0 && used.calls + reservedBefore.calls >= dailyCalls && 'calls') ||
      (dailyTokens > 0 && used.tokens + reservedBefore.tokens >= dailyTokens && 'tokens');
    if (!spent) return;
    const limit = spent === 'calls' ? dailyCalls : dailyTokens;
    throw new AppError(
      'AI_QUOTA_EXCEEDED',
      `You have used up your ${limit} AI ${spent} for today. Please try again tomorrow.`,
      { retryAfter: (dayOf(now()) + DAY_MS - now()) / 1_000 },
    );
  }

  const usage: AiUsage = {
    async begin(call) {
      const { project, caller, capability, model, expected = 0 } = call;
      const key = `${project.definition.id}:${caller.kind === 'user' ? caller.id : ''}`;
      const reservedBefore = reserve(key, expected);
      try {
        await requireQuota(call, reservedBefore);
      } catch (error) {
        release(key, expected);
        throw error;
      }
      const started = now();
      let ended = false;
      return {
        end(outcome, tokens) {
          if (ended) return;
          ended = true;
          const written = recordCall(project, {
            id: randomUUID(),
            user_id: caller.kind === 'user' ? caller.id : null,
            capability,
            model,
            outcome,
            input_tokens: tokens?.inputTokens ?? null,
            output_tokens: tokens?.outputTokens ?? null,
            latency_ms: Math.max(0, now() - started),
            created_at: started,
          })
            .catch((err: unknown) => log.error({ err }, 'An AI call could not be recorded'))
            .finally(() => {
              writing.delete(written);
              release(key, expected);
            });
          writing.add(written);
        },
      };
    },
    async track({ signal, ...call }, run) {
      const counted = await usage.begin(call);
      let tokens: Tokens | undefined;
      try {
        const result = await run((used) => {
          tokens = used;
        });
        counted.end('OK', tokens);
        return result;
      } catch (error) {
        counted.end(outcomeOf(error, signal), tokens);
        throw error;
      }
    },
    async close() {
      await Promise.all(writing);
    },
  };
  return usage;
}

/** Returns the outcome of a call that ended with this error. `signal` is the caller’s. */
export function outcomeOf(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted) return 'ABORTED';
  return error instanceof AppError ? error.code : 'INTERNAL_ERROR';
}
