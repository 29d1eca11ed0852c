import { insertTestAccount, TEST_PASSWORD } from '@fabrica/backend/testing/auth/insert-test-account.ts';
import { startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANONYMOUS, openTestDesk, type TestDesk } from '../testing/open-test-desk.ts';

const MINUTE_MS = 60_000;

let model: Awaited<ReturnType<typeof startOpenAiStandIn>>;
beforeAll(async () => {
  model = await startOpenAiStandIn();
});
afterAll(() => model.close());

it.each([
  ['an hour old has the usual budget where no mail can be sent', 60, {}, [200, 200, 200]],
  ['younger than an hour has the small one there', 59, {}, [200, 200, 429]],
  [
    'an hour old has the small one where a mail could verify it',
    60,
    { SMTP_URL: 'smtp://127.0.0.1:1' },
    [200, 200, 429],
  ],
])('an account that was never verified and is %s', async (_, minutes, mail, statuses) => {
  const desk = await openTestDesk({
    environment: {
      ...{ AI_BASE_URL: model.url, AI_TEXT_MODEL: 'small-model', RATE_LIMIT: 'on', ...mail },
    },
    // Tokens that a call may take count until it has ended.
    config: { ai: { newAccountCalls: 2, newAccountTokens: 0 } },
  });
  const email = 'ada@example.org';
  await insertTestAccount(desk.context.project, { email, created_at: Date.now() - minutes * MINUTE_MS });
  const credentials = { projectId: 'journal', email, password: TEST_PASSWORD };
  const { body } = await desk.call(ANONYMOUS, 'POST', '/api/auth/signin/email', { body: credentials });
  const ada = { id: body.user.id, token: body.access_token };
  const made: number[] = [];
  for (const _call of statuses) {
    const { status } = await desk.call(ada, 'POST', '/api/ai/journal/text', { body: { prompt: 'Hello' } });
    made.push(status);
    // A call counts twice while it is being recorded.
    await expect.poll(() => countedCalls(desk)).toBe(made.filter((one) => one === 200).length);
  }
  expect(made).toEqual(statuses);
  await desk.close();
});

/** Returns the number of calls of the model that are recorded. */
async function countedCalls({ context }: TestDesk): Promise<number> {
  const [row] = await context.project.database.query('SELECT COUNT(*) AS calls FROM ai_usage', []);
  return Number(row?.calls);
}
