import type { Context } from 'hono';
import type { Project } from '../../../database/project.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { Origin } from '../audit.ts';
import { describeDevice } from './device.ts';

const DEFAULT_LANGUAGES = ['en'];

/** Where a call comes from, for the audit log and the list of sessions. */
export function originOf(c: Context<AppEnvironment>): Origin {
  return { address: c.var.clientIp, device: describeDevice(c.req.header('user-agent')) };
}

/** The first of the caller's languages that the project's mails are written in; null when there is none. */
export function languageOf(c: Context<AppEnvironment>, { definition }: Project): string | null {
  const { languages = DEFAULT_LANGUAGES } = definition;
  const wanted = (c.req.header('accept-language') ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', quality] = part.trim().split(/\s*;\s*q=/i);
      return { language: tag.split('-')[0]?.toLowerCase() ?? '', quality: quality ? Number(quality) : 1 };
    })
    .filter(({ language, quality }) => quality > 0 && languages.includes(language))
    .sort((a, b) => b.quality - a.quality);
  return wanted[0]?.language ?? null;
}

/** What mails are written in when neither the account nor the call says. */
export function defaultLanguage({ definition }: Project): string {
  return definition.languages?.[0] ?? 'en';
}
