import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

/** Exit code of a process whose configuration is wrong (`EX_CONFIG` of sysexits.h). */
export const EXIT_CONFIG = 78;

const flag = z
  .enum(['on', 'off', 'true', 'false', '1', '0', ''])
  .transform((value) => value === 'on' || value === 'true' || value === '1');

const origin = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
  .transform((value, context) => {
    const url = new URL(value);
    if (url.pathname === '/' && !url.search && !url.hash) return url.origin;
    context.addIssue({ code: 'custom', message: 'must be an origin, without a path' });
    return z.NEVER;
  });

/**
 * Every setting, with what it means: the README's table is made of this.
 * All of them are optional.
 */
export const settings = {
  HOST: z.string().default('0.0.0.0').describe('Address to listen on.'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000).describe('Port to listen on.'),
  PUBLIC_URL: origin
    .optional()
    .describe('The address readers type, for links and metadata. Default: `http://localhost:PORT`.'),
  DATA_DIR: z.string().min(1).default('data').describe('Folder of the database, the files and the keys.'),
  PROJECT_ID: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'must be lower-case letters, digits, "-" or "_"')
    .default('journal')
    .describe('The id of the journal as a project of the backend.'),
  SIGNUP_ROLE: z
    .string()
    .min(1)
    .optional()
    .describe('Role of new accounts: `author` (default), `reader` or `admin`.'),
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .pipe(
      z.array(
        z.union([z.literal('*'), origin], {
          error: 'must be origins such as https://example.org, or *, with commas between them',
        }),
      ),
    )
    .describe('Other origins whose pages may call the backend, separated by commas.'),
  AI_BASE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
    .optional()
    .describe(
      'An OpenAI-compatible endpoint, such as `http://localhost:11434/v1`. Without one, texts are not translated.',
    ),
  AI_API_KEY: z.string().optional().describe('Key for that endpoint, if it wants one.'),
  AI_TEXT_MODEL: z.string().min(1).optional().describe('The model that translates.'),
  DEMO: flag.default(true).describe('`off` keeps an empty database empty.'),
  RATE_LIMIT: flag
    .default(true)
    .describe('`off` lifts the limits on sign-in, uploads and AI calls (for tests).'),
  TRUST_PROXY: z.coerce
    .number()
    .int()
    .min(0)
    .max(10)
    .default(0)
    .describe(
      'How many proxies stand in front: the caller’s address is taken that far from the end of `X-Forwarded-For`.',
    ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('How much is logged.'),
} as const;

export type SettingName = keyof typeof settings;

export interface Config {
  host: string;
  port: number;
  publicUrl: string;
  /** Absolute. */
  dataDir: string;
  projectId: string;
  signUpRole: string | undefined;
  allowedOrigins: readonly string[];
  ai: { baseUrl: string; apiKey: string | undefined; textModel: string } | undefined;
  demo: boolean;
  rateLimit: boolean;
  trustedProxies: number;
  logLevel: string;
}

/** Names every bad setting at once; whoever catches it prints the message and exits with 78. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(`Fabrica cannot start with these settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Environment → Config. `FOO_FILE` names a file that holds the value of `FOO`. Throws ConfigError. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = [];
  const given: Record<string, string> = {};
  for (const name of Object.keys(settings)) {
    const value = readSetting(name, environment, faults)?.trim();
    if (value !== undefined && value !== '') given[name] = value;
  }
  const parsed = z.object(settings).safeParse(given);
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0]);
    faults.push(`${name}: ${issue.message} (it is "${given[name] ?? ''}")`);
  }
  if (parsed.data?.AI_BASE_URL && !parsed.data.AI_TEXT_MODEL) {
    faults.push('AI_TEXT_MODEL: name a model when AI_BASE_URL is set');
  }
  if (!parsed.data || faults.length > 0) throw new ConfigError(faults);
  const value = parsed.data;
  return {
    host: value.HOST,
    port: value.PORT,
    publicUrl: value.PUBLIC_URL ?? `http://localhost:${value.PORT}`,
    dataDir: resolve(value.DATA_DIR),
    projectId: value.PROJECT_ID,
    signUpRole: value.SIGNUP_ROLE,
    allowedOrigins: value.ALLOWED_ORIGINS,
    ai:
      value.AI_BASE_URL && value.AI_TEXT_MODEL
        ? { baseUrl: value.AI_BASE_URL, apiKey: value.AI_API_KEY, textModel: value.AI_TEXT_MODEL }
        : undefined,
    demo: value.DEMO,
    rateLimit: value.RATE_LIMIT,
    trustedProxies: value.TRUST_PROXY,
    logLevel: value.LOG_LEVEL,
  };
}

function readSetting(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  faults: string[],
): string | undefined {
  const file = environment[`${name}_FILE`];
  if (!file) return environment[name];
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    faults.push(
      `${name}_FILE: cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'unknown error'}: "${file}")`,
    );
    return undefined;
  }
}
