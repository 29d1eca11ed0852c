import { AuthError, type FabricaClient, FabricaError } from '@fabrica/client';
import type { DocumentFault } from '../../project/document-limits.ts';
import { EXCHANGE_FAULTS, type ExchangeFaultDetails } from '../../project/exchange-faults.ts';
import type { Language } from '../../project/languages.ts';
import { validTime } from '../../project/time.ts';
import { useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { createDeskClient, type DeskClient } from './desk-client.ts';
import { isTimeZone, ownTimeZone } from './editor/zoned-time.ts';
import { findFieldName } from './field-name.ts';
import { type DeskMessages, useDeskMessagesIn } from './load-desk-messages.ts';
import type { SaveStatus } from './saving/working-copy.ts';

const clients = new WeakMap<FabricaClient, DeskClient>();

/** Returns the desk's calls with the session of this page. */
export function useDesk(): DeskClient {
  const client = useClient();
  const desk = clients.get(client) ?? createDeskClient(client);
  clients.set(client, desk);
  return desk;
}

/** Returns the texts of the desk. Suspends until they are loaded. */
export function useDeskMessages(): DeskMessages {
  return useDeskMessagesIn(useLanguage().language);
}

/** Returns functions that write times (epoch milliseconds) in the page's language and the reader's time zone. */
export function useTimes() {
  const { language } = useLanguage();
  return timesIn(language);
}

export function timesIn(language: Language) {
  const format = (options: Intl.DateTimeFormatOptions) => (time: number) =>
    new Intl.DateTimeFormat(language, options).format(validTime(time));
  const full = { dateStyle: 'medium', timeStyle: 'short' } as const;
  return {
    clock: format({ timeStyle: 'short' }),
    day: format({ dateStyle: 'medium' }),
    full: format(full),
    /**
     * Writes a time on the clocks of a zone, which is named where it is not the reader's. The time is on the reader's clocks
     * where the browser does not know the zone.
     */
    zoned: (time: number, timeZone: string | null) =>
      timeZone === null || timeZone === ownTimeZone() || !isTimeZone(timeZone)
        ? format(full)(time)
        : `${format({ ...full, timeZone })(time)} (${timeZone.replaceAll('_', ' ')})`,
  };
}

/** Returns a sentence that says why something on the desk did not work. */
export function describeDeskError(error: unknown, messages: DeskMessages): string {
  const { editor, saving } = messages;
  if (error instanceof AuthError) return saving.sessionEnded;
  if (!(error instanceof FabricaError)) return editor.unknown;
  const { code, status } = error;
  const fileFault = describeFileFault(error, messages);
  if (fileFault) return fileFault;
  if (code === 'FORBIDDEN') return editor.forbidden;
  if (code === 'NOT_FOUND') return saving.refused.gone;
  if (faultyFields(error, 'missing').length > 0) return editor.missingFields;
  if (code === 'VALIDATION_FAILED') return describeInvalid(error, messages);
  return code === 'NETWORK_ERROR' && status === null ? editor.offline : editor.unknown;
}

/** Returns a sentence that says why a file of another translation tool is not read; undefined for any other error. */
function describeFileFault({ details }: FabricaError, messages: DeskMessages): string | undefined {
  const { fault, number = 0 } = (details ?? {}) as Partial<ExchangeFaultDetails>;
  if (!EXCHANGE_FAULTS.some((one) => one === fault) || fault === undefined) return undefined;
  const text = messages.translations.exchange.faults[fault];
  return typeof text === 'function' ? text(number) : text;
}

/** Returns a sentence that names the parts that the server did not accept, or has its own words where it names none. */
function describeInvalid(error: FabricaError, messages: DeskMessages): string {
  const { refused } = messages.saving;
  if (faultyFields(error, 'taken').length > 0) return refused.addressTaken;
  const tooComplex = nameFields(faultyFields(error, 'too-complex'), messages);
  if (tooComplex) return refused.tooComplex(tooComplex);
  const tooLong = faultyFields(error, 'too-long');
  if (tooLong.length > 0) return describeTooLong(tooLong, messages);
  const names = nameFields(faultyFields(error), messages);
  return names ? refused.invalid(names) : refused.unnamed(error.message);
}

function describeTooLong(fields: readonly string[], messages: DeskMessages): string {
  const { refused } = messages.saving;
  const names = nameFields(fields, messages);
  return names ? refused.tooLong(names) : refused['too-large'];
}

/** Returns the names of parts of a document for people; blank where none of them is known. */
function nameFields(paths: readonly string[], messages: DeskMessages): string {
  return [...new Set(paths.flatMap((path) => findFieldName(path, messages) ?? []))].join(', ');
}

/** Returns the paths of the parts that the server did not accept, or of those with faults of one kind. */
function faultyFields({ details }: FabricaError, only?: DocumentFault): string[] {
  const faults: { field?: unknown; kind?: unknown }[] = Array.isArray(details) ? details : [];
  return faults.filter(({ kind }) => !only || kind === only).map(({ field }) => String(field));
}

export type UnsavedStatus = Extract<SaveStatus<unknown>, { name: 'offline' | 'refused' }>;

/** Returns a sentence that says why the server does not have what is written. */
export function describeUnsaved(status: UnsavedStatus, messages: DeskMessages): string {
  const { editor, saving } = messages;
  if (status.name === 'offline') return status.error ? editor.unknown : editor.offline;
  if (status.reason === 'invalid') return describeInvalid(status.error, messages);
  if (status.reason === 'too-large') return describeTooLong(status.fields ?? [], messages);
  return saving.refused[status.reason];
}
