import { resolve } from 'node:path';
import { ACCESS_TOKEN_SECONDS, MAX_ACCESS_TOKEN_SECONDS } from '@fabrica/contract';
import { z } from 'zod';
import { parseBytes } from './core/parse-bytes.ts';
import { type Environment, readSetting } from './core/read-setting.ts';
import { DEFAULT_POOL_SIZE } from './database/index.ts';
import { parseSender } from './mail/index.ts';
import type { AiSettings } from './services/ai/index.ts';
import { type ProviderSettings, parseProviders } from './services/auth/index.ts';
import type { S3Settings } from './services/storage/index.ts';

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

const postgresUrl = z.url({
  protocol: /^postgres(ql)?$/,
  hostname: /^/,
  error: 'must be an address such as postgres://role:password@host/database',
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
  DATABASE_URL: postgresUrl
    .optional()
    .describe(
      'Keeps the database on a PostgreSQL server (14 or later), such as `postgres://fabrica:password@db.example.org/fabrica`. Its role may create roles, and schemas in that database. Without it, the database is in `DATA_DIR`.',
    ),
  DATABASE_REPLICA_URL: postgresUrl
    .optional()
    .describe(
      'A copy of that server which follows it: readers who are not signed in are answered from there.',
    ),
  DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .max(1_000)
    .default(DEFAULT_POOL_SIZE)
    .describe('How many connections a project may have to such a server at a time.'),
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
  PROJECT_ID: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'must be lower-case letters, digits, "-" or "_"')
    .default('journal')
    .describe('The id of the journal as a project of the backend.'),
  PROJECTS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder of further projects for the same backend, a file each. Default: there is the journal alone.',
    ),
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
    .describe('Other origins whose pages may call the journal’s project, separated by commas.'),
  SECRET_KEY: z
    .string()
    .regex(/^sk_[\w-]{32,200}$/, 'must be `sk_` and at least 32 letters, digits, "-" or "_"')
    .optional()
    .describe(
      'The journal’s secret key, for servers of yours. Default: one that is made at the first start and kept.',
    ),
  ACCESS_TOKEN_SECONDS: z.coerce
    .number()
    .int()
    .min(60)
    .max(MAX_ACCESS_TOKEN_SECONDS)
    .default(ACCESS_TOKEN_SECONDS)
    .describe('How long an access token is good; whoever is signed in gets the next one by itself.'),
  REQUIRE_VERIFIED_EMAIL: flag
    .default(false)
    .describe('`on` lets nobody sign in whose e-mail address is not verified.'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must begin with smtp:// or smtps://' })
    .optional()
    .describe(
      'The mail server, such as `smtps://user:password@mail.example.org`. Without one, mails are kept for `npx fabrica outbox`.',
    ),
  MAIL_FROM: z
    .string()
    .refine(isSender, 'must be an address, or a name and an address as in Fabrica <mail@example.org>')
    .optional()
    .describe('Who mails come from. Default: `no-reply@` and the name in PUBLIC_URL.'),
  STORAGE_QUOTA: z
    .string()
    .default('1 GiB')
    .refine(
      (text) => parseBytes(text) !== undefined,
      'must be a size such as `500 MB` or `1 GiB`, or 0 for no limit',
    )
    .describe('How much the files of one account may take together, such as `500 MB`; 0 is no limit.'),
  STORAGE_PUBLIC_URL: origin
    .optional()
    .describe(
      'What addresses of files begin with, where a CDN stands in front of them. Default: `PUBLIC_URL`.',
    ),
  S3_BUCKET: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/, 'must be the name of a bucket')
    .optional()
    .describe('Keeps files in this bucket of an S3-compatible store. Without it, they are in `DATA_DIR`.'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
    .optional()
    .describe('That store’s address, such as `https://s3.example.org`. Default: the one of Amazon.'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Its region.'),
  S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Its access key. Without one, the machine’s own credentials for Amazon are used.'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('The secret of that key.'),
  S3_PREFIX: z
    .string()
    .regex(/^([\w-][\w.-]*(\/|$))*$/, 'must be names with "/" between them')
    .default('')
    .transform((value) => value.replace(/\/$/, ''))
    .describe('What keys in the bucket begin with, where it is shared.'),
  AI_BASE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
    .optional()
    .describe(
      'An OpenAI-compatible endpoint, such as `http://localhost:11434/v1`. Without one, texts are not translated.',
    ),
  AI_API_KEY: z.string().min(1).optional().describe('Key for that endpoint, if it wants one.'),
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
  AI_TEXT_MODEL: z.string().min(1).optional().describe('The model that writes texts and translates.'),
  AI_IMAGE_MODEL: z.string().min(1).optional().describe('The model that makes pictures.'),
  AI_SPEECH_MODEL: z.string().min(1).optional().describe('The model that speaks.'),
  AI_TRANSCRIBE_MODEL: z.string().min(1).optional().describe('The model that writes down what is said.'),
  AI_DAILY_CALLS: z.coerce
    .number()
    .int()
    .min(0)
    .default(400)
    .describe('AI calls of one account in a day (UTC), which are 50 posts; 0 is no limit.'),
  AI_DAILY_TOKENS: z.coerce
    .number()
    .int()
    .min(0)
    .default(500_000)
    .describe('Tokens that those calls may use together, question and answer; 0 is no limit.'),
  SEARCH_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
    .optional()
    .describe('A SearXNG, such as `http://localhost:8888`, for searches. Without one, there are none.'),
  DATA_ALLOW_HOSTS: z
    .string()
    .default('')
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .pipe(
      z.array(z.string().regex(/^(\[[\da-fA-F:.]+\]|[^\s:/@]+):\d{1,5}$/), {
        error: 'must be pairs such as wiki.intern:8080, with commas between them',
      }),
    )
    .describe('Private places, as `host:port`, that fetching for users may reach; separated by commas.'),
  CHROMIUM_PATH: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The Chromium that takes screenshots of pages. Default: the one that is found on this machine.',
    ),
  ANALYTICS_RETENTION: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .default(90)
    .describe('Days that single events of readers are kept for; what they add up to by day stays.'),
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

/** Settings with a password in them, which are not shown. */
const SECRET: readonly string[] = [
  'AI_API_KEY',
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'S3_SECRET_ACCESS_KEY',
  'SECRET_KEY',
  'SMTP_URL',
];

export type SettingName = keyof typeof settings;

/** Settings of identity providers: any number of them, each under a name of its own. */
export const providerSettings: Readonly<Record<string, string>> = {
  'OAUTH_<PROVIDER>_CLIENT_ID':
    'Offers sign-in with this provider: `GOOGLE`, `MICROSOFT`, `APPLE`, `GITHUB`, or any OpenID Connect issuer under a name of your choice.',
  'OAUTH_<PROVIDER>_CLIENT_SECRET':
    'Its secret. For Apple, `OAUTH_APPLE_TEAM_ID`, `_KEY_ID` and `_PRIVATE_KEY` may take its place.',
  'OAUTH_<PROVIDER>_ISSUER': 'The issuer’s address; the four that are named above need none.',
  'OAUTH_<PROVIDER>_LABEL': 'What its button says.',
};

function isSender(text: string): boolean {
  try {
    return parseSender(text) !== undefined;
  } catch {
    return false;
  }
}

export interface Config {
  host: string;
  port: number;
  publicUrl: string;
  /** Absolute. */
  dataDir: string;
  database: {
    /** Undefined: a file a project, in `dataDir`. */
    url: string | undefined;
    replicaUrl: string | undefined;
    /** Connections. */
    poolSize: number;
  };
  /** Undefined: this node is the only one. */
  redisUrl: string | undefined;
  projectId: string;
  /** Absolute. */
  projectsDir: string | undefined;
  signUpRole: string | undefined;
  allowedOrigins: readonly string[];
  secretKey: string | undefined;
  accessTokenSeconds: number;
  requireVerifiedEmail: boolean;
  mail: { smtpUrl: string | undefined; from: string };
  providers: readonly ProviderSettings[];
  storage: {
    /** Bytes that the files of one user may take together; 0: any number. */
    quota: number;
    /** The origin that addresses of files begin with. */
    publicUrl: string;
    /** Undefined: files are kept in `dataDir`. */
    s3: S3Settings | undefined;
  };
  ai: AiSettings;
  data: {
    /** `host:port` pairs that may be fetched although they are private. */
    allowHosts: readonly string[];
    /** Undefined: there is no search. */
    searchUrl: string | undefined;
    /** Undefined: whichever Chromium is found. */
    chromium: string | undefined;
    /** Where it is looked for, as `PATH` has it. */
    path: string;
  };
  /** Days that single events are kept for. */
  analyticsRetention: number;
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
export function parseConfig(environment: Environment): Config {
  const faults: string[] = [];
  const given: Record<string, string> = {};
  for (const name of Object.keys(settings)) {
    const value = readSetting(name, environment, faults)?.trim();
    if (value !== undefined && value !== '') given[name] = value;
  }
  const parsed = z.object(settings).safeParse(given);
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0]);
    const shown = SECRET.includes(name) ? '' : ` (it is "${given[name] ?? ''}")`;
    faults.push(`${name}: ${issue.message}${shown}`);
  }
  if (parsed.data) faults.push(...faultsOfAi(parsed.data), ...faultsOfS3(parsed.data));
  if (parsed.data?.DATABASE_REPLICA_URL && !parsed.data.DATABASE_URL) {
    faults.push('DATABASE_URL: name the server that the one of DATABASE_REPLICA_URL follows');
  }
  const providers = parseProviders(environment, faults);
  if (!parsed.data || faults.length > 0) throw new ConfigError(faults);
  const value = parsed.data;
  const publicUrl = value.PUBLIC_URL ?? `http://localhost:${value.PORT}`;
  return {
    host: value.HOST,
    port: value.PORT,
    publicUrl,
    dataDir: resolve(value.DATA_DIR),
    database: {
      url: value.DATABASE_URL,
      replicaUrl: value.DATABASE_REPLICA_URL,
      poolSize: value.DATABASE_POOL,
    },
    redisUrl: value.REDIS_URL,
    projectId: value.PROJECT_ID,
    projectsDir: value.PROJECTS_DIR && resolve(value.PROJECTS_DIR),
    signUpRole: value.SIGNUP_ROLE,
    allowedOrigins: value.ALLOWED_ORIGINS,
    secretKey: value.SECRET_KEY,
    accessTokenSeconds: value.ACCESS_TOKEN_SECONDS,
    requireVerifiedEmail: value.REQUIRE_VERIFIED_EMAIL,
    mail: { smtpUrl: value.SMTP_URL, from: value.MAIL_FROM ?? `no-reply@${new URL(publicUrl).hostname}` },
    providers,
    storage: {
      quota: parseBytes(value.STORAGE_QUOTA) ?? 0,
      publicUrl: value.STORAGE_PUBLIC_URL ?? publicUrl,
      s3: s3Settings(value),
    },
    ai: aiSettings(value),
    data: {
      allowHosts: value.DATA_ALLOW_HOSTS,
      searchUrl: value.SEARCH_URL,
      chromium: value.CHROMIUM_PATH,
      path: environment.PATH ?? '',
    },
    analyticsRetention: value.ANALYTICS_RETENTION,
    demo: value.DEMO,
    rateLimit: value.RATE_LIMIT,
    trustedProxies: value.TRUST_PROXY,
    logLevel: value.LOG_LEVEL,
  };
}

type Settings = z.infer<z.ZodObject<typeof settings>>;

function faultsOfAi(value: Settings): string[] {
  const models = Object.values(modelsOf(value)).some(Boolean);
  const provided = value.AI_BASE_URL ?? value.AI_PROVIDER;
  if (provided && !models) return ['AI_TEXT_MODEL: name a model when AI_BASE_URL or AI_PROVIDER is set'];
  if (models && !provided) return ['AI_BASE_URL: name the endpoint of the models'];
  return [];
}

function modelsOf(value: Settings): AiSettings['models'] {
  return {
    text: value.AI_TEXT_MODEL,
    image: value.AI_IMAGE_MODEL,
    speech: value.AI_SPEECH_MODEL,
    transcribe: value.AI_TRANSCRIBE_MODEL,
  };
}

function aiSettings(value: Settings): AiSettings {
  return {
    provider: value.AI_PROVIDER,
    baseUrl: value.AI_BASE_URL,
    apiKey: value.AI_API_KEY,
    models: modelsOf(value),
    dailyCalls: value.RATE_LIMIT ? value.AI_DAILY_CALLS : 0,
    dailyTokens: value.RATE_LIMIT ? value.AI_DAILY_TOKENS : 0,
  };
}

function faultsOfS3(value: Settings): string[] {
  const { S3_BUCKET, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = value;
  const faults: string[] = [];
  if (!S3_BUCKET && (S3_ENDPOINT || S3_ACCESS_KEY_ID)) {
    faults.push('S3_BUCKET: name a bucket when the other S3 settings are set');
  }
  if (!S3_ACCESS_KEY_ID !== !S3_SECRET_ACCESS_KEY) {
    faults.push('S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: set both, or neither');
  }
  return faults;
}

function s3Settings(value: Settings): S3Settings | undefined {
  if (!value.S3_BUCKET) return undefined;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = value;
  return {
    bucket: value.S3_BUCKET,
    endpoint: value.S3_ENDPOINT,
    region: value.S3_REGION,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    prefix: value.S3_PREFIX,
  };
}
