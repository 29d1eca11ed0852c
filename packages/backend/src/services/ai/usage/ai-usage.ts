import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@fabrica/contract';
import type { Logger } from 'pino';
import type { Caller } from '../../../core/caller.ts';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import type { Capability } from '../settings.ts';
import { dayOf, recordCall, usedToday } from './queries.ts';

/** How a call ended: well, by the caller's leaving, or with what it was answered. */
export type Outcome = 'OK' | 'ABORTED' | ErrorCode;

/** As far as the provider says; null where it does not. */
export interface Tokens {
  inputTokens: number | null;
  outputTokens: number | null;
}

export interface CallFacts {
  project: Project;
  caller: Exclude<Caller, { kind: 'anonymous' }>;
  capability: Capability;
  /** As the provider knows it. */
  model: string;
  /** Tokens that it may come to: until it is over, so many count as used. */
  expected?: number;
}

/** A call that is under way. */
export interface CountedCall {
  /** Writes it down; only the first time counts. */
  end(outcome: Outcome, tokens?: Tokens): void;
}

/** The ledger of AI calls, and the quotas that are counted by it. Nothing of what was asked or answered is in it. */
export interface AiUsage {
  /** Throws AI_QUOTA_EXCEEDED when the user has none left today; the service role has no quota. */
  begin(call: CallFacts): Promise<CountedCall>;
  /**
   * Counts a call that is over when `run` is. `report` takes what it used, as soon as that is known. Throws what `run`
   * throws, and AI_QUOTA_EXCEEDED.
   */
  track<T>(
    call: CallFacts & { signal: AbortSignal },
    run: (report: (tokens: Tokens) => void) => Promise<T>,
  ): Promise<T>;
  /** Waits until everything is written down. */
  close(): Promise<void>;
}

/** What calls that are not over have taken of a quota. */
interface Reserved {
  calls: number;
  tokens: number;
}

export interface AiUsageOptions {
  /** Of one user in a day of UTC; 0: any number. */
  dailyCalls: number;
  dailyTokens: number;
  log: Logger;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function createAiUsage({ dailyCalls, dailyTokens, log, now = Date.now }: AiUsageOptions): AiUsage {
  /** Calls by user that are not in the ledger yet. */
  const underWay = new Map<string, Reserved>();
  const writing = new Set<Promise<void>>();

  /** Answers what was under way before. */
  function enter(key: string, tokens: number): Reserved {
    const before = underWay.get(key) ?? { calls: 0, tokens: 0 };
    underWay.set(key, { calls: before.calls + 1, tokens: before.tokens + tokens });
    return before;
  }

  function leave(key: string, tokens: number): void {
    const now = underWay.get(key);
    if (!now || now.calls === 1) underWay.delete(key);
    else underWay.set(key, { calls: now.calls - 1, tokens: now.tokens - tokens });
  }

  /** `before`: what of the same user was under way when this one began; many at once must not slip through. */
  async function requireQuota({ project, caller }: CallFacts, before: Reserved): Promise<void> {
    if (caller.kind === 'service' || (dailyCalls === 0 && dailyTokens === 0)) return;
    const used = await usedToday(project, caller.id, now());
    const spent =
      (dailyCalls > 0 && used.calls + before.calls >= dailyCalls && 'calls') ||
      (dailyTokens > 0 && used.tokens + before.tokens >= dailyTokens && 'tokens');
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
      const before = enter(key, expected);
      try {
        await requireQuota(call, before);
      } catch (error) {
        leave(key, expected);
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
            .catch((err: unknown) => log.error({ err }, 'An AI call could not be written into the ledger'))
            .finally(() => {
              writing.delete(written);
              leave(key, expected);
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

/** What the ledger calls a call that ended with this error. `signal` is the caller's. */
export function outcomeOf(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted) return 'ABORTED';
  return error instanceof AppError ? error.code : 'INTERNAL_ERROR';
}
