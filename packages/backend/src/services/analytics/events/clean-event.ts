import { MAX_EVENT_BYTES } from '@fabrica/contract';
import type { ParsedEvent } from '@fabrica/contract/schemas';
import { AppError } from '../../../core/errors.ts';
import { MAX_DEPTH, MAX_EVENT_AGE_MS, MAX_PROPERTIES } from '../limits.ts';
import { cleanText } from './clean-text.ts';

/** An event as it is stored and counted, without anything that identifies a person. */
export interface CleanEvent {
  type: string;
  /** Epoch ms. */
  happenedAt: number;
  /** The client's id of the visit; it is stored as a hash. */
  visit: string | null;
  /** Without query and fragment. */
  pathname: string | null;
  /** A host name. */
  referrer: string | null;
  /** Two letters. */
  language: string | null;
  channel: string | null;
  screenWidth: number | null;
  /** JSON of the other fields; null when there are none. */
  properties: string | null;
}

interface EventFacts {
  /** Epoch ms. */
  now: number;
  /** Host names of the project's own pages, which are no referrers. */
  ownHosts: ReadonlySet<string>;
  acceptLanguage: string | undefined;
}

/** Fields of an event that have a column. */
const COLUMNS: ReadonlySet<string> = new Set([
  ...['type', 'timestamp', 'session_id', 'pathname', 'referrer', 'screen_width', 'language', 'channel'],
]);
/** Names of fields that identify a person, in the ways in which clients write them. */
const PERSONAL = /^(?:user[_-]?(?:id|email|name|agent)|e[_-]?mail|ip(?:[_-]?address)?)$/i;

/** Returns the parts of an event that are stored. Throws VALIDATION_FAILED for one that is too large or too deep. */
export function cleanEvent(event: ParsedEvent, { now, ownHosts, acceptLanguage }: EventFacts): CleanEvent {
  const properties = cleanProperties(event);
  const width = event.screen_width ?? 0;
  return {
    type: cleanText(event.type) ?? 'unnamed',
    happenedAt: timeOf(event.timestamp, now),
    visit: event.session_id?.slice(0, 256) || null,
    pathname: pathOf(event.pathname),
    referrer: foreignHost(event.referrer, ownHosts),
    language: languageOf(event.language) ?? languageOf(acceptLanguage),
    channel: cleanText(event.channel)?.toLowerCase() ?? null,
    screenWidth: width >= 1 && width <= 100_000 ? Math.round(width) : null,
    properties,
  };
}

/** Returns the client's time if it is plausible, or else the server's. A client may have been offline for a while. */
function timeOf(timestamp: string | null | undefined, now: number): number {
  const time = Date.parse(timestamp ?? '');
  return time <= now && time > now - MAX_EVENT_AGE_MS ? time : now;
}

/** Returns `/gallery` for `/gallery/?q=heart#top`: queries and fragments may hold search terms and tokens. */
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

/** Returns `de` for `de-CH` and for `de-CH,de;q=0.9`. */
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
  const allowed = fields.filter(([name]) => !PERSONAL.test(name));
  return Object.fromEntries(
    allowed.map(([name, value]) => [cleanText(name) ?? '', cleanValue(value, depth)]),
  );
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
