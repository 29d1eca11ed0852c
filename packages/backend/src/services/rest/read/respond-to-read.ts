import type { Caller } from '../../../core/caller.ts';
import type { Project } from '../../../database/project.ts';
import { unknownTable } from '../../../database/schema.ts';
import type { PlainRequest, PlainResponse } from '../../../http/plain-exchange.ts';
import { authorizeRead } from '../authorize.ts';
import { hidesOwner, listWithoutOwners } from '../hidden-owner.ts';
import { requireClientTable } from '../sql/client-table.ts';
import { createListForms } from './list-form.ts';
import { parseParameters, parseReadQuery, requireNoInsertParameters } from './parse.ts';
import { type Preferences, parsePreferences } from './preferences.ts';
import { presentPage } from './present.ts';
import type { ProjectTables, ReadableTable } from './project-tables.ts';
import { readPage, whenReady } from './read-page.ts';

/** A read by a caller who is authenticated, of a table that may not exist. */
export interface ReadRequest {
  project: Project;
  tables: ProjectTables;
  caller: Caller;
  table: string;
  request: Pick<PlainRequest, 'url' | 'header'>;
  /** The page that it is a read of, if any, by which the database may combine its statements. */
  page?: object | undefined;
}

/**
 * GET returns the rows that the caller may read, from the response cache if nothing was committed since they were
 * cached. Throws, or rejects with, the errors of parsing, policies and preferences.
 */
export function respondToRead(read: ReadRequest): PlainResponse | Promise<PlainResponse> {
  const { tables, caller, table: name, request } = read;
  const table = tables.readable.get(name);
  if (!table && caller.kind !== 'service') throw unknownTable();
  const preferences = parsePreferences(request);
  if (!table) return readClientTable(read, preferences);
  const key = cacheKey(name, caller, { preferences, url: request.url });
  return tables.responses.respond(key, () => readUncached(read, table, preferences));
}

/** Reads a table that SQL has created. Nothing is cached, as SQL may alter the table too. */
async function readClientTable(read: ReadRequest, preferences: Preferences): Promise<PlainResponse> {
  const context = await requireClientTable(read.project.database, read.table);
  const table = { context, forms: createListForms(context), isClientTable: true };
  return readUncached(read, table, preferences);
}

function readUncached(
  { project: { database }, caller, request }: ReadRequest,
  { context, forms, isClientTable = false }: ReadableTable & { isClientTable?: boolean },
  preferences: Preferences,
): PlainResponse | Promise<PlainResponse> {
  const { table } = context;
  const parameters = parseParameters(request.url);
  requireNoInsertParameters(parameters);
  const form = forms(parameters);
  const query = authorizeRead(parseReadQuery(parameters, table, form), table, caller);
  const isPublic = caller.kind === 'anonymous';
  const source = { database, context, form, isClientTable, options: { anonymous: isPublic } };
  return whenReady(readPage(source, query, preferences.countExact), (found) => {
    const shown = hidesOwner(table, caller)
      ? { ...found, list: listWithoutOwners(found.list, caller) }
      : found;
    return presentPage(shown, { ...query, isPublic }, preferences);
  });
}

/** Returns a key of everything that a response depends on, other than the rows. */
function cacheKey(
  table: string,
  caller: Caller,
  { preferences, url }: { preferences: Preferences; url: string },
): string {
  const { singular, csv, countExact, applied } = preferences;
  const question = url.indexOf('?');
  const search = question < 0 ? '' : url.slice(question);
  const format = csv ? 'csv' : singular ? 'object' : 'json';
  return `${format} ${countExact} ${table} ${search}\n${applied}\n${callerKey(caller)}`;
}

/** Policies may depend on each of these values. */
function callerKey(caller: Caller): string {
  if (caller.kind !== 'user') return caller.kind;
  const { id, role, email, displayName } = caller;
  return JSON.stringify([id, role, email, displayName]);
}
