import { type BackendPages, type Environment, emailSetting, onOrOff, parseConfig } from '@fabrica/backend';

/** The journal's own settings, beside the backend's. */
export const journalSettings = {
  DEMO: onOrOff
    .optional()
    .describe(
      'Whether an empty database is filled with sample posts. Default: `on` for SQLite on one machine, `off` with `DATABASE_URL` or `REDIS_URL`.',
    ),
  CONTACT_TO: emailSetting
    .optional()
    .describe(
      'Where messages of the contact form are mailed to. Without it, `npx fabrica outbox` shows them: 200 at most, for 90 days.',
    ),
};

/** Defaults of the backend's settings that are the journal's. */
export const journalDefaults = { PROJECT_ID: 'journal' };

/** The journal's pages that links of the backend lead to. */
export const pages: BackendPages = {
  signIn: '/auth',
  completeSignIn: '/auth/complete',
  verifyEmail: '/auth/verify',
  magicLink: '/auth/magic',
  resetPassword: '/auth/reset',
  stopNotices: '/auth/notices',
};

/** The server that a backup is proved by, and the pages that it must serve. */
export const provingServer = {
  script: new URL('../server.ts', import.meta.url),
  pages: ['/gallery', '/sitemap.xml'],
};

export type JournalConfig = ReturnType<typeof parseJournalConfig>;

/** Returns the configuration that the environment describes. Throws ConfigError. */
export function parseJournalConfig(environment: Environment) {
  const { own, ...config } = parseConfig(environment, { own: journalSettings, defaults: journalDefaults });
  return {
    ...config,
    mail: { ...config.mail, operator: config.mail.operator ?? own.CONTACT_TO },
    // An empty database is filled with sample posts.
    demo: own.DEMO ?? (config.database.url === undefined && config.realtime.redisUrl === undefined),
    // The e-mail address for messages of the contact form.
    contactTo: own.CONTACT_TO,
  };
}
