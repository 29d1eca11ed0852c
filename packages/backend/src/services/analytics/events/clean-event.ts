import { MAX_EVENT_BYTES } from '@fabrica/contract';
import type { ParsedEvent } from '@fabrica/contract/schemas';
import { AppError } from '../../../core/errors.ts';
import { LATEST_ARRIVAL_MS, MAX_DEPTH, MAX_PROPERTIES } from '../limits.ts';
import { cleanText } from './clean-text.ts';

/** An event as it is stored and counted. Nothing in it says who it was. */
export interface CleanEvent {
  type: string;
  /** Epoch ms. */
  happenedAt: number;
  /** The client's own id of the visit; stored as a hash of the day. */
  visit: string | null;
  /** Without query and fragment. */
  pathname: string | null;
  /** A host. */
  referrer: string | null;
  /** Two letters. */
  language: string | null;
  channel: string | null;
  screenWidth: number | null;
  /** JSON of what else there is; null for nothing. */
  properties: string | null;
}

export interface EventFacts {
  /** Epoch ms. */
  now: number;
  /** Hosts whose pages link to their own. */
  ownHosts: ReadonlySet<string>;
  acceptLanguage: string | undefined;
}

/** What an event has a column for. */
const COLUMNS: ReadonlySet<string> = new Set([
  ...['type', 'timestamp', 'session_id', 'pathname', 'referrer', 'screen_width', 'language', 'channel'],
]);
/** What clients say of who it was, whichever way they write it. */
const PERSONAL = /^(?:user[_-]?(?:id|email|name|agent)|e[_-]?mail|ip(?:[_-]?address)?)$/i;

/** Takes an event apart. Throws VALIDATION_FAILED for one that has more to it than is stored. */
export function cleanEvent(event: ParsedEvent, { now, ownHosts, acceptLanguage }: EventFacts): CleanEvent {
  const properties = cleanProperties(event);
  const width = event.screen_width ?? 0;
  return {
    type: cleanText(event.type) ?? 'unnamed',
    happenedAt: believedTime(event.timestamp, now),
    visit: event.session_id?.slice(0, 256) || null,
    pathname: pathOf(event.pathname),
    referrer: foreignHost(event.referrer, ownHosts),
    language: languageOf(event.language) ?? languageOf(acceptLanguage),
    channel: cleanText(event.channel)?.toLowerCase() ?? null,
    screenWidth: width >= 1 && width <= 100_000 ? Math.round(width) : null,
    properties,
  };
}

/** A client's clock may be wrong, and it may have been offline for a while. */
function believedTime(timestamp: string | null | undefined, now: number): number {
  const time = Date.parse(timestamp ?? '');
  return time <= now && time > now - LATEST_ARRIVAL_MS ? time : now;
}

/** `/gallery` of `/gallery/?q=heart#top`: what is searched for, and tokens, stand behind the path. */
function pathOf(pathname: string | null | undefined): string | null {
  const path = cleanText(pathname?.split(/[?#]/, 1)[0]);
  if (!path?.startsWith('/')) return null;
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path;
}

function foreignHost(referrer: string | null | undefined, ownHosts: ReadonlySet<string>): string | null {
  const text = referrer?.slice(0, 2_000).trim();
  if (!text) return null;
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  const host = cleanText(url?.hostname);
  return host && !ownHosts.has(host) ? host : null;
}

/** `de` of `de-CH`, and of `de-CH,de;q=0.9`. */
function languageOf(text: string | null | undefined): string | null {
  return /^\s*([a-z]{2})(?![a-z\d])/i.exec(text ?? '')?.[1]?.toLowerCase() ?? null;
}

function cleanProperties(event: ParsedEvent): string | null {
  const fields = Object.entries(event).filter(
    ([name, value]) => !COLUMNS.has(name) && value !== null && value !== undefined,
  );
  if (fields.length === 0) return null;
  if (fields.length > MAX_PROPERTIES) throw tooMuch(`${MAX_PROPERTIES} properties`);
  const cleaned = JSON.stringify(cleanFields(fields, 1));
  if (Buffer.byteLength(cleaned) > MAX_EVENT_BYTES) throw tooMuch(`${MAX_EVENT_BYTES / 1024} kB`);
  return cleaned === '{}' ? null : cleaned;
}

function cleanFields(fields: readonly [string, unknown][], depth: number): Record<string, unknown> {
  const kept = fields.filter(([name]) => !PERSONAL.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [cleanText(name) ?? '', cleanValue(value, depth)]));
}

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value) ?? undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) throw tooMuch(`${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return value.map((one) => cleanValue(one, depth + 1) ?? null);
  return cleanFields(Object.entries(value), depth + 1);
}

function tooMuch(limit: string): AppError {
  return new AppError('VALIDATION_FAILED', `The request is not valid. An event may have ${limit} at most.`);
}
