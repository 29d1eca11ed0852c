import Bowser from 'bowser';
import type { Context } from 'hono';
import type { Project } from '../../../database/project.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { RequestSource } from '../audit.ts';

const DEFAULT_LANGUAGES = ['en'];

/** Returns where a request came from, for the audit log and the list of sessions. */
export function sourceOf(c: Context<AppEnvironment>): RequestSource {
  return { ip: c.var.clientIp, device: describeDevice(c.req.header('user-agent')) };
}

/**
 * Returns the caller's preferred language among those of the project's mails, or `null` when there is none.
 */
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

/** Returns the language of mails when neither the account nor the request names one. */
export function defaultLanguage({ definition }: Project): string {
  return definition.languages?.[0] ?? 'en';
}

const LONGEST = 500;

/**
 * Describes browser and system of a User-Agent header, such as "Firefox, Windows". Returns `null` when it
 * names neither.
 */
function describeDevice(userAgent: string | undefined): string | null {
  if (!userAgent) return null;
  const { browser, os } = Bowser.parse(userAgent.slice(0, LONGEST));
  return [browser.name, os.name].filter(Boolean).join(', ') || null;
}
