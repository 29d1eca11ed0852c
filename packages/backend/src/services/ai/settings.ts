import { z } from 'zod';
import { httpUrl, type SettingsValues } from '../../core/settings.ts';

/** The tasks that AI can be configured for. */
const CAPABILITIES = ['text', 'judge', 'vision', 'image', 'speech', 'transcribe'] as const;

export type Capability = (typeof CAPABILITIES)[number];

/** The setting that names the model of each capability. */
export const MODEL_SETTINGS = {
  text: 'AI_TEXT_MODEL',
  judge: 'AI_JUDGE_MODEL',
  vision: 'AI_VISION_MODEL',
  image: 'AI_IMAGE_MODEL',
  speech: 'AI_SPEECH_MODEL',
  transcribe: 'AI_TRANSCRIBE_MODEL',
} as const satisfies Record<Capability, string>;

/** What a new account may use in a day: a post takes eight calls. */
const NEW_ACCOUNT = { calls: 100, tokens: 250_000 };

/** Milliseconds that a model may be silent, before it begins to write and between two pieces; one on this machine is slower. */
const SILENCE_MS = 120_000;
const LOCAL_SILENCE_MS = 300_000;

/** Matches what the measuring command prints: the model, the day, the shares of errors found and of false alarms in per cent. */
const MEASURED = /^(\S+) (\d{4}-\d\d-\d\d) (\d{1,3}(?:\.\d+)?) (\d{1,3}(?:\.\d+)?)$/;

const modelName = z.string().min(1).optional();
const amount = z.coerce.number().int().min(0);

export const aiSettings = {
  AI_BASE_URL: httpUrl
    .optional()
    .describe(
      'An OpenAI-compatible endpoint, such as `http://localhost:11434/v1`. Without one, there is no AI.',
    ),
  AI_API_KEY: z.string().min(1).optional().describe('API key for that endpoint, if it wants one.'),
  AI_PROVIDER: z
    .string()
    .regex(
      /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/,
      'must be the name of a package, such as @ai-sdk/anthropic',
    )
    .optional()
    .describe(
      'A vendor’s package of the AI SDK in place of that endpoint, such as `@ai-sdk/anthropic`: install it beside Fabrica (`npm install @ai-sdk/anthropic`).',
    ),
  AI_TEXT_MODEL: modelName.describe('The model that writes texts and translates.'),
  AI_JUDGE_MODEL: modelName.describe(
    'The model that reads each machine translation once more before it is released. Another one than the translating model sees more. Default: AI_TEXT_MODEL. `off` for none.',
  ),
  AI_JUDGE_MEASURED: z
    .string()
    .regex(MEASURED, 'must be what the measuring command prints, such as gemma3 2026-11-28 97.5 1.2')
    .optional()
    .describe(
      'How good that model is: `npm run dose-guard -- --judge URL --model NAME` measures it and prints this value. The desk says so while it names no figures of that model.',
    ),
  AI_VISION_MODEL: modelName.describe(
    'The model that sees pictures, and proposes their alternative text on the desk. It may be the same as AI_TEXT_MODEL.',
  ),
  AI_IMAGE_MODEL: modelName.describe('The model that makes images.'),
  AI_SPEECH_MODEL: modelName.describe('The model that speaks.'),
  AI_TRANSCRIBE_MODEL: modelName.describe('The model that transcribes recordings.'),
  AI_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .default(8)
    .describe(
      'Calls of the language model at a time; others wait for their turn. Set 1 for a model that runs on this machine.',
    ),
  AI_DAILY_CALLS: amount.default(400).describe('AI calls of one account in a day (UTC); 0 is no limit.'),
  AI_DAILY_TOKENS: amount
    .default(500_000)
    .describe('Tokens that those calls may use together, prompts and results; 0 is no limit.'),
  AI_PROJECT_DAILY_CALLS: amount
    .default(10_000)
    .describe('AI calls of all accounts of a project together in a day (UTC); 0 is no limit.'),
  AI_PROJECT_DAILY_TOKENS: amount
    .default(10_000_000)
    .describe('Tokens that the calls of all accounts of a project may use together; 0 is no limit.'),
};

/** Tells how good a model is at finding errors in translations. */
export interface JudgeMeasured {
  /** Such as `2026-11-28`. */
  day: string;
  /** Per cent of wrong translations in which it finds a difference, and of right ones. */
  caught: number;
  falseAlarms: number;
}

/** Returns the figures of a model; null where none was measured, or another one. */
function measuredOf(model: string | undefined, value: string | undefined): JudgeMeasured | null {
  const [, name, day = '', caught, falseAlarms] = MEASURED.exec(value ?? '') ?? [];
  return name !== undefined && name === model
    ? { day, caught: Number(caught), falseAlarms: Number(falseAlarms) }
    : null;
}

export type AiSettings = ReturnType<typeof readAiSettings>;

/** Returns the settings of AI, without quotas (0) when limits are off. Adds contradictions to `faults`. */
export function readAiSettings(
  values: SettingsValues<typeof aiSettings>,
  limited: boolean,
  faults: string[],
) {
  const { AI_JUDGE_MODEL: judge = values.AI_TEXT_MODEL } = values;
  const models: Readonly<Record<Capability, string | undefined>> = {
    text: values.AI_TEXT_MODEL,
    judge: judge === 'off' ? undefined : judge,
    vision: values.AI_VISION_MODEL,
    image: values.AI_IMAGE_MODEL,
    speech: values.AI_SPEECH_MODEL,
    transcribe: values.AI_TRANSCRIBE_MODEL,
  };
  const named = Object.values(models).some(Boolean);
  const provided = values.AI_BASE_URL ?? values.AI_PROVIDER;
  if (provided && !named) faults.push('AI_TEXT_MODEL: name a model when AI_BASE_URL or AI_PROVIDER is set');
  if (named && !provided) faults.push('AI_BASE_URL: name the endpoint of the models');
  return {
    provider: values.AI_PROVIDER,
    baseUrl: values.AI_BASE_URL,
    apiKey: values.AI_API_KEY,
    models,
    judgeMeasured: measuredOf(models.judge, values.AI_JUDGE_MEASURED),
    timeout: values.AI_CONCURRENCY === 1 ? LOCAL_SILENCE_MS : SILENCE_MS,
    concurrency: values.AI_CONCURRENCY,
    dailyCalls: limited ? values.AI_DAILY_CALLS : 0,
    dailyTokens: limited ? values.AI_DAILY_TOKENS : 0,
    newAccountCalls: limited ? NEW_ACCOUNT.calls : 0,
    newAccountTokens: limited ? NEW_ACCOUNT.tokens : 0,
    projectDailyCalls: limited ? values.AI_PROJECT_DAILY_CALLS : 0,
    projectDailyTokens: limited ? values.AI_PROJECT_DAILY_TOKENS : 0,
  };
}
