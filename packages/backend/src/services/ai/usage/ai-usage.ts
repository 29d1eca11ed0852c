import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@fabrica/contract';
import type { Logger } from 'pino';
import type { Caller, UserCaller } from '../../../core/caller.ts';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { createBudgetNotices, type NoticeBudget, secondsToTomorrow } from '../../../http/daily-budget.ts';
import type { RateLimits } from '../../../http/rate-limit.ts';
import type { Meter } from '../../../runtime/meter.ts';
import type { Capability } from '../settings.ts';
import { recordCall, usedToday } from './queries.ts';

/** The caller of calls for visitors who have no account, which have the budget of one account together. */
export const visitors: UserCaller = { kind: 'user', id: 'visitors', email: '', displayName: null, role: '' };

/** Tells how a call ended: with success, by the caller’s disconnecting, or with an error code. */
export type Outcome = 'OK' | 'ABORTED' | ErrorCode;

/** Tokens of a call; null where the provider does not report them. */
export interface Tokens {
  inputTokens: number | null;
  outputTokens: number | null;
}

const NO_MORE_FOR_VISITORS =
  'Readers without an account have used up their translations for today. Please sign in, or try again tomorrow.';
const VISITORS = {
  name: 'ai-visitors',
  duration: 24 * 60 * 60,
  code: 'AI_QUOTA_EXCEEDED',
  message: NO_MORE_FOR_VISITORS,
} as const;

export interface UsageCall {
  project: Project;
  caller: Exclude<Caller, { kind: 'anonymous' }>;
  /** The IP address of a visitor. */
  clientIp?: string | undefined;
  capability: Capability;
  /** Name of the model at the provider. */
  model: string;
  /** Tokens that the call may use; they count as used until it is over. */
  expected?: number;
}

/** A call that is under way. */
interface CountedCall {
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
  /** Calls of an account that is new; 0 is no limit. */
  newAccountCalls?: number;
  newAccountTokens?: number;
  /** Calls of all users of a project together; 0 is no limit. */
  projectDailyCalls?: number;
  projectDailyTokens?: number;
  isNewAccount?(project: Project, userId: string): Promise<boolean>;
  noticeBudget?: NoticeBudget;
  /** Counts what networks use of the visitors' calls. */
  limits?: Pick<RateLimits, 'consumeShare'>;
  meter?: Meter | undefined;
  log: Logger;
  /** Returns the current time in milliseconds since the epoch. */
  now?: () => number;
}

/** Holds what was reserved by an account and by its project before a call. */
interface ReservedBefore {
  account: Reserved;
  project: Reserved;
}

function sum(one: Reserved, other: Reserved): Reserved {
  return { calls: one.calls + other.calls, tokens: one.tokens + other.tokens };
}

/** Returns which of the limits is used up; 0 is no limit. */
function spentOf(used: Reserved, limits: Reserved): keyof Reserved | undefined {
  return (['calls', 'tokens'] as const).find((unit) => limits[unit] > 0 && used[unit] >= limits[unit]);
}

export function createAiUsage({
  dailyCalls,
  dailyTokens,
  newAccountCalls = 0,
  newAccountTokens = 0,
  projectDailyCalls = 0,
  projectDailyTokens = 0,
  isNewAccount = async () => false,
  limits,
  meter,
  log,
  now = Date.now,
  noticeBudget = createBudgetNotices({ log, now }),
}: AiUsageOptions): AiUsage {
  /** Reservations by user and by project. */
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

  /** Throws AI_QUOTA_EXCEEDED. What is reserved counts as used, so that concurrent calls do not exceed the quota. */
  async function requireQuota(
    { project, caller, clientIp }: UsageCall,
    reserved: ReservedBefore,
  ): Promise<void> {
    if (caller.kind === 'service') return;
    const isLimited = [dailyCalls, dailyTokens, newAccountCalls, newAccountTokens].some((limit) => limit > 0);
    if (isLimited) {
      const used = sum(await usedToday(project, caller.id, now()), reserved.account);
      const spent = spentOf(used, { calls: dailyCalls, tokens: dailyTokens });
      if (spent && caller.id === visitors.id) throw overQuota(NO_MORE_FOR_VISITORS);
      if (caller.id === visitors.id && clientIp !== undefined && dailyCalls > 0)
        await limits?.consumeShare({ ...VISITORS, points: dailyCalls }, clientIp, project.definition.id);
      if (spent) {
        const limit = spent === 'calls' ? dailyCalls : dailyTokens;
        throw overQuota(`You have used up your ${limit} AI ${spent} for today. Please try again tomorrow.`);
      }
      const small = spentOf(used, { calls: newAccountCalls, tokens: newAccountTokens });
      if (small && caller.id !== visitors.id && (await isNewAccount(project, caller.id))) {
        const limit = small === 'calls' ? newAccountCalls : newAccountTokens;
        throw overQuota(
          `You have used up the ${limit} AI ${small} of a new account for today. Please verify your e-mail address, if this site sends mails, or try again later.`,
        );
      }
    }
    if (projectDailyCalls === 0 && projectDailyTokens === 0) return;
    const used = sum(await usedToday(project, undefined, now()), reserved.project);
    const spent = spentOf(used, { calls: projectDailyCalls, tokens: projectDailyTokens });
    // This call is the next one.
    noticeBudget(project, {
      setting: 'AI_PROJECT_DAILY_CALLS',
      used: used.calls + 1,
      limit: projectDailyCalls,
    });
    const tokens = { used: used.tokens, limit: projectDailyTokens };
    noticeBudget(project, { setting: 'AI_PROJECT_DAILY_TOKENS', ...tokens });
    if (spent) throw overQuota(`This site has used up its AI ${spent} for today. Please try again tomorrow.`);
  }

  const overQuota = (message: string) =>
    new AppError('AI_QUOTA_EXCEEDED', message, { retryAfter: secondsToTomorrow(now()) });

  const usage: AiUsage = {
    async begin(call) {
      const { project, caller, capability, model, expected = 0 } = call;
      const key = `${project.definition.id}:${caller.kind === 'user' ? caller.id : ''}`;
      // The service role has no quota, and leaves that of its project to the users.
      const projectKey = `${caller.kind} ${project.definition.id}`;
      const reservedBefore = { account: reserve(key, expected), project: reserve(projectKey, expected) };
      const releaseBoth = () => {
        for (const one of [key, projectKey]) release(one, expected);
      };
      try {
        await requireQuota(call, reservedBefore);
      } catch (error) {
        releaseBoth();
        throw error;
      }
      const started = now();
      let ended = false;
      return {
        end(outcome, tokens) {
          if (ended) return;
          ended = true;
          countCall(meter, { capability, model, outcome, ms: Math.max(0, now() - started), tokens });
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
              releaseBoth();
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
    close: async () => void (await Promise.all(writing)),
  };
  return usage;
}

interface EndedCall {
  capability: Capability;
  model: string;
  outcome: Outcome;
  ms: number;
  tokens: Tokens | undefined;
}

function countCall(meter: Meter | undefined, { capability, model, outcome, ms, tokens }: EndedCall): void {
  meter?.aiCalls.inc({ capability, model, outcome });
  meter?.aiSeconds.inc({ capability, model }, ms / 1_000);
  meter?.aiTokens.inc({ capability, model, direction: 'in' }, tokens?.inputTokens ?? 0);
  meter?.aiTokens.inc({ capability, model, direction: 'out' }, tokens?.outputTokens ?? 0);
}

/** Returns the outcome of a call that ended with this error. `signal` is the caller’s. */
export function outcomeOf(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted) return 'ABORTED';
  return error instanceof AppError ? error.code : 'INTERNAL_ERROR';
}
