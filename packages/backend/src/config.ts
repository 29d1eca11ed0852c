import { resolve } from 'node:path';
import { z } from 'zod';
import { backupSettings, readBackupSettings } from './backup/backup-settings.ts';
import { parseBytes } from './core/parse-bytes.ts';
import {
  type Environment,
  listSetting,
  onOrOff,
  originSetting,
  readSetting,
  type SettingsSchema,
  type SettingsValues,
} from './core/settings.ts';
import { databaseSettings, readDatabaseSettings } from './database/index.ts';
import { fetcherSettings } from './fetcher/index.ts';
import { observedSettings } from './http/observed/settings.ts';
import { mailSettings, readMailSettings } from './mail/index.ts';
import { aiSettings, readAiSettings } from './services/ai/index.ts';
import { analyticsSettings } from './services/analytics/index.ts';
import { type AuthSettings, authSettings, ownWordsOf, parseProviders } from './services/auth/index.ts';
import { dataSettings, readDataSettings } from './services/data/index.ts';
import { realtimeSettings } from './services/realtime/index.ts';
import { restSettings } from './services/rest/index.ts';
import { readStorageSettings, storageSettings } from './services/storage/index.ts';

/** Exit code of a process whose configuration is wrong (`EX_CONFIG` of sysexits.h). */
export const EXIT_CONFIG = 78;

const serverSettings = {
  HOST: z.string().default('0.0.0.0').describe('IP address to listen on.'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000).describe('Port to listen on.'),
  PUBLIC_URL: originSetting
    .optional()
    .describe('The URL that readers type, for links and metadata. Default: `http://localhost:PORT`.'),
  DATA_DIR: z.string().min(1).default('data').describe('Folder of the database, the files and the keys.'),
};

const projectSettings = {
  PROJECT_ID: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'must be lower-case letters, digits, "-" or "_"')
    .default('main')
    .describe('The id of the main project.'),
  PROJECTS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder of further projects for the same backend, a file each. Default: the main project alone.',
    ),
  SIGNUP_ROLE: z
    .string()
    .min(1)
    .optional()
    .describe('Role of new accounts. Default: the one that the project names.'),
  ALLOWED_ORIGINS: listSetting
    .pipe(
      z.array(
        z.union([z.literal('*'), originSetting], {
          error: 'must be origins such as https://example.org, or *, with commas between them',
        }),
      ),
    )
    .describe(
      'Other origins whose pages may call the main project, show its pages in a frame and hand them tokens, separated by commas.',
    ),
  MASTER_KEY: z
    .string()
    .min(32, 'must have at least 32 characters, such as those of `openssl rand -base64 32`')
    .optional()
    .describe(
      'The secret that seals the keys in the database, the same on all nodes: at least 32 characters, such as those of `openssl rand -base64 32`. Default: one that is made at the first start and kept in `DATA_DIR/keys/master.key`.',
    ),
  MASTER_KEY_FORMER: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe('The secret before `MASTER_KEY` was changed: the first start with both seals the keys anew.'),
  SECRET_KEY: z
    .string()
    .regex(/^sk_[\w-]{32,200}$/, 'must be `sk_` and at least 32 letters, digits, "-" or "_"')
    .optional()
    .describe(
      'The main project’s secret key, for servers of yours. Default: one that is made at the first start and kept, which `npx fabrica key show` prints.',
    ),
};

const processSettings = {
  RATE_LIMIT: onOrOff
    .default(true)
    .describe('`off` lifts the limits on sign-in, writes, uploads and AI calls (for tests).'),
  TRUST_PROXY: z.coerce
    .number()
    .int()
    .min(0)
    .max(10)
    .default(0)
    .describe(
      'Number of reverse proxies in front: the client’s IP address is taken that far from the end of `X-Forwarded-For`.',
    ),
  DRAIN_DELAY_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(600)
    .default(0)
    .describe(
      'Seconds after a signal to stop for which requests are still taken, while `/readyz` responds 503: behind a load balancer, longer than it needs to notice.',
    ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('How much is logged.'),
};

/** Every setting with its meaning; `docs/settings.md` is made of this. All of them are optional. */
export const settings = {
  ...serverSettings,
  ...databaseSettings,
  ...realtimeSettings,
  ...projectSettings,
  ...authSettings,
  ...mailSettings,
  ...restSettings,
  ...storageSettings,
  ...aiSettings,
  ...dataSettings,
  ...fetcherSettings,
  ...analyticsSettings,
  ...observedSettings,
  ...backupSettings,
  ...processSettings,
};

/** Settings with a password in them: messages do not show their values. */
const SECRET: readonly string[] = [
  'AI_API_KEY',
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'MASTER_KEY',
  'MASTER_KEY_FORMER',
  'REDIS_URL',
  'S3_SECRET_ACCESS_KEY',
  'SECRET_KEY',
  'SMTP_URL',
];

/** The configuration of a backend, of which each service takes its own part. */
export type Config = ReturnType<typeof composeConfig>;

/** Names every bad setting at once; the process prints the message and exits with 78. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(`Fabrica cannot start with these settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

export interface ProductSettings<Own extends SettingsSchema> {
  /** Settings of the product itself, beside the backend's. */
  own: Own;
  /** Defaults that differ from the backend's. */
  defaults: Readonly<Record<string, string>>;
}

/**
 * Returns the configuration that the environment describes, with the product's own values as `own`. `FOO_FILE` names a
 * file that holds the value of `FOO`. Throws ConfigError.
 */
export function parseConfig<Own extends SettingsSchema = Record<never, never>>(
  environment: Environment,
  { own, defaults }: Partial<ProductSettings<Own>> = {},
): Config & { own: SettingsValues<Own> } {
  const faults: string[] = [];
  const values = parseValues<typeof settings & Own>(
    { ...settings, ...own },
    { environment, defaults, faults },
  );
  const providers = parseProviders(environment, faults);
  const config = values && composeConfig(values, { providers, environment, faults });
  if (!config || faults.length > 0) throw new ConfigError(faults);
  return { ...config, own: values };
}

interface Given {
  environment: Environment;
  defaults: Readonly<Record<string, string>> | undefined;
  faults: string[];
}

function parseValues<Schema extends SettingsSchema>(
  schema: SettingsSchema,
  { environment, defaults, faults }: Given,
): SettingsValues<Schema> | undefined {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema)) {
    const value = readSetting(name, environment, faults)?.trim() || defaults?.[name];
    if (value) given[name] = value;
  }
  const parsed = z.object(schema).safeParse(given);
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0]);
    const shown = SECRET.includes(name) ? '' : ` (it is "${given[name] ?? ''}")`;
    faults.push(`${name}: ${issue.message}${shown}`);
  }
  return parsed.data as SettingsValues<Schema> | undefined;
}

interface Found {
  providers: AuthSettings['providers'];
  environment: Environment;
  faults: string[];
}

function composeConfig(values: SettingsValues<typeof settings>, { providers, environment, faults }: Found) {
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  const storage = readStorageSettings(values, publicUrl, faults);
  const mail = readMailSettings(values, publicUrl);
  return {
    host: values.HOST,
    port: values.PORT,
    publicUrl,
    // Paths are absolute.
    dataDir: resolve(values.DATA_DIR),
    projectId: values.PROJECT_ID,
    projectsDir: values.PROJECTS_DIR && resolve(values.PROJECTS_DIR),
    signUpRole: values.SIGNUP_ROLE,
    allowedOrigins: values.ALLOWED_ORIGINS as readonly string[],
    masterKey: values.MASTER_KEY,
    masterKeyFormer: values.MASTER_KEY_FORMER,
    secretKey: values.SECRET_KEY,
    ai: readAiSettings(values, values.RATE_LIMIT, faults),
    // Bytes of rows that an account may write in a day; 0: any number.
    rowsQuota: parseBytes(values.ROWS_QUOTA) ?? 0,
    storage,
    database: readDatabaseSettings(values, faults),
    realtime: { redisUrl: values.REDIS_URL },
    auth: {
      requireVerifiedEmail: values.REQUIRE_VERIFIED_EMAIL,
      sendsMail: values.SMTP_URL !== undefined,
      breachedPasswordsUrl: values.BREACHED_PASSWORDS_URL,
      ownWords: ownWordsOf(['Fabrica', new URL(publicUrl).hostname, mail.from, values.PROJECT_ID]),
      secondFactorRoles: values.SECOND_FACTOR_ROLES,
      providers,
    } satisfies AuthSettings,
    mail,
    data: readDataSettings(values, environment, values.RATE_LIMIT),
    fetcher: { allowHosts: values.DATA_ALLOW_HOSTS },
    analytics: { retentionDays: values.ANALYTICS_RETENTION },
    backup: readBackupSettings(values, storage.s3, faults),
    observed: {
      metrics: values.METRICS_PORT,
      traceEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, ''),
    },
    rateLimit: values.RATE_LIMIT,
    trustedProxies: values.TRUST_PROXY,
    drainDelaySeconds: values.DRAIN_DELAY_SECONDS,
    logLevel: values.LOG_LEVEL,
  };
}
