import { openTestEngine } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../core/errors.ts';
import { type Engine, migrateToLatest, schemaOf } from '../../../database/index.ts';
import type { Project } from '../../../database/project.ts';
import { defineProject } from '../../../project-database.ts';
import { aiMigrations } from '../migrations.ts';
import { type AiUsage, type AiUsageOptions, createAiUsage, type UsageCall } from './ai-usage.ts';

const definition = defineProject({
  id: 'journal',
  tables: {},
  roles: { author: { permissions: [] } },
  signUpRole: 'author',
  origins: [],
  migrations: {},
});
const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
const waiting = new AbortController().signal;

let engine: Engine;
let project: Project;
let now: number;
const opened: AiUsage[] = [];

beforeEach(async () => {
  now = NOON;
  engine = await openTestEngine();
  const database = await engine.open({ id: 'journal', schema: schemaOf(definition) });
  await migrateToLatest(database, aiMigrations);
  project = { definition, database, secretKey: 'sk_test' };
});
afterEach(async () => {
  for (const usage of opened.splice(0)) await usage.close();
  await project.database.close();
  await engine.close();
});

function open(options: Partial<AiUsageOptions> = {}): AiUsage {
  const usage = createAiUsage({
    dailyCalls: 0,
    dailyTokens: 0,
    log: pino({ level: 'silent' }),
    now: () => now,
    ...options,
  });
  opened.push(usage);
  return usage;
}

function callOf(userId: string | undefined): UsageCall {
  const caller =
    userId === undefined
      ? ({ kind: 'service' } as const)
      : ({
          kind: 'user',
          id: userId,
          email: `${userId}@example.org`,
          displayName: null,
          role: 'author',
        } as const);
  return { project, caller, capability: 'text', model: 'small-model' };
}

const ledger = () =>
  project.database.reader.selectFrom('ai_usage').selectAll().orderBy('created_at').execute();

describe('usage table', () => {
  it('the usage table has caller, model, outcome, latency and tokens of a call', async () => {
    const usage = open();
    const result = await usage.track({ ...callOf('ada'), signal: waiting }, async (report) => {
      now += 1_200;
      report({ inputTokens: 7, outputTokens: 11 });
      return 'result';
    });
    expect(result).toBe('result');
    now += 1;
    const fail = async () => {
      throw new AppError('AI_FAILED', 'It failed.');
    };
    await expect(usage.track({ ...callOf(undefined), signal: waiting }, fail)).rejects.toThrow('It failed.');
    now += 1;
    const left = AbortSignal.abort();
    await expect(usage.track({ ...callOf('ada'), signal: left }, fail)).rejects.toThrow();
    await usage.close();
    const common = { capability: 'text', model: 'small-model', id: expect.any(String) };
    expect(await ledger()).toEqual([
      {
        ...common,
        user_id: 'ada',
        outcome: 'OK',
        input_tokens: 7,
        output_tokens: 11,
        latency_ms: 1_200,
        created_at: NOON,
      },
      {
        ...common,
        user_id: null,
        outcome: 'AI_FAILED',
        input_tokens: null,
        output_tokens: null,
        latency_ms: 0,
        created_at: NOON + 1_201,
      },
      expect.objectContaining({ user_id: 'ada', outcome: 'ABORTED' }),
    ]);
  });

  it('a call counts once, however often it ends', async () => {
    const usage = open();
    const call = await usage.begin(callOf('ada'));
    call.end('OK', { inputTokens: 1, outputTokens: 2 });
    call.end('ABORTED');
    await usage.close();
    expect(await ledger()).toMatchObject([{ outcome: 'OK', output_tokens: 2 }]);
  });
});

describe('quotas', () => {
  const refused = { code: 'AI_QUOTA_EXCEEDED', status: 429 };

  it('a quota allows each user its number of calls in a day, at the same time or one by one', async () => {
    const usage = open({ dailyCalls: 5 });
    const begun = await Promise.allSettled(Array.from({ length: 8 }, () => usage.begin(callOf('ada'))));
    const calls = begun.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
    expect(calls).toHaveLength(5);
    for (const call of calls) call.end('AI_FAILED');
    await expect(usage.begin(callOf('ada'))).rejects.toMatchObject({
      ...refused,
      message: 'You have used up your 5 AI calls for today. Please try again tomorrow.',
      retryAfter: 12 * 3_600,
    });
    await usage.close();
    await expect(usage.begin(callOf('ada'))).rejects.toMatchObject(refused);
    (await usage.begin(callOf('ben'))).end('OK');
    (await usage.begin(callOf(undefined))).end('OK');
    now += 12 * HOUR_MS;
    (await usage.begin(callOf('ada'))).end('OK');
  });

  it('a quota of tokens counts prompts and responses together', async () => {
    const usage = open({ dailyTokens: 100 });
    for (const outputTokens of [49, 50]) {
      (await usage.begin(callOf('ada'))).end('OK', { inputTokens: 1, outputTokens });
      await usage.close();
    }
    await expect(usage.begin(callOf('ada'))).rejects.toMatchObject({
      ...refused,
      message: 'You have used up your 100 AI tokens for today. Please try again tomorrow.',
    });
  });

  it('a quota counts the tokens that calls under way may use', async () => {
    const usage = open({ dailyTokens: 100 });
    const begin = () => usage.begin({ ...callOf('ada'), expected: 40 });
    const begun = await Promise.allSettled(Array.from({ length: 5 }, begin));
    const calls = begun.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
    expect(calls).toHaveLength(3);
    for (const call of calls) call.end('OK', { inputTokens: 5, outputTokens: 5 });
    await usage.close();
    (await begin()).end('OK');
  });

  it('a quota is shared by several processes', async () => {
    const [one, other] = [open({ dailyCalls: 2 }), open({ dailyCalls: 2 })];
    for (const usage of [one, other]) (await usage.begin(callOf('ada'))).end('OK');
    await Promise.all([one.close(), other.close()]);
    for (const usage of [one, other]) {
      await expect(usage.begin(callOf('ada'))).rejects.toMatchObject(refused);
    }
  });

  it('a new account has small quotas, and the usual ones once it is no longer new', async () => {
    let isNew = true;
    const usage = open({
      dailyCalls: 20,
      newAccountCalls: 8,
      newAccountTokens: 100,
      isNewAccount: async () => isNew,
    });
    for (let call = 0; call < 8; call += 1) {
      (await usage.begin(callOf('ada'))).end('OK');
      await usage.close();
    }
    await expect(usage.begin(callOf('ada'))).rejects.toMatchObject({
      ...refused,
      message:
        'You have used up the 8 AI calls of a new account for today. Please verify your e-mail address, if this site sends mails, or try again later.',
      retryAfter: 12 * 3_600,
    });
    (await usage.begin(callOf('ben'))).end('OK', { inputTokens: 60, outputTokens: 40 });
    await usage.close();
    await expect(usage.begin(callOf('ben'))).rejects.toMatchObject(refused);
    isNew = false;
    for (const user of ['ada', 'ben']) (await usage.begin(callOf(user))).end('OK');
  });

  it('the accounts of a project share a quota, and the operator is told at 80 % and at its end', async () => {
    const lines: { level: number; setting: string; used: number }[] = [];
    const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
    const usage = open({ projectDailyCalls: 10, log });
    const begin = (index: number) => usage.begin(callOf(`user ${index}`));
    const begun = await Promise.allSettled(Array.from({ length: 14 }, (_, index) => begin(index)));
    const calls = begun.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
    expect(calls).toHaveLength(10);
    for (const call of calls) call.end('OK');
    await usage.close();
    await expect(usage.begin(callOf('zoe'))).rejects.toMatchObject({
      ...refused,
      message: 'This site has used up its AI calls for today. Please try again tomorrow.',
      retryAfter: 12 * 3_600,
    });
    (await usage.begin(callOf(undefined))).end('OK');
    now += 12 * HOUR_MS;
    // One after the other: of those at once, the database decides which is counted first.
    lines.length = 0;
    for (let index = 0; index < 10; index += 1) {
      (await begin(index)).end('OK');
      await usage.close();
    }
    expect(lines.map(({ level, setting, used }) => [level, setting, used])).toEqual([
      [40, 'AI_PROJECT_DAILY_CALLS', 8],
      [50, 'AI_PROJECT_DAILY_CALLS', 10],
    ]);
  });
});
