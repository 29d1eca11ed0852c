import type { Caller } from '../../../core/caller.ts';
import type { Project } from '../../../database/project.ts';
import { unknownTable } from '../../../database/schema.ts';
import type { PlainRequest, PlainResponse } from '../../../http/plain-exchange.ts';
import { whenReady } from '../../../runtime/when-ready.ts';
import { authorizeRead } from '../policy/authorize.ts';
import { type Preferences, parsePreferences } from '../preferences.ts';
import type { ProjectTables, TableReads } from '../project-tables.ts';
import { parseParameters, parseQuery, requireNoneOfNewRows } from './parse.ts';
import { presentPage } from './present.ts';
import { readPage } from './read-page.ts';

/** A read by a caller who is known, of a table that need not exist. */
export interface ReadRequest {
  project: Project;
  tables: ProjectTables;
  caller: Caller;
  table: string;
  request: Pick<PlainRequest, 'url' | 'header'>;
}

/**
 * GET: rows that the caller may read, as they were answered before if nothing was committed since. Throws what parsing,
 * policies and preferences throw, or rejects with it.
 */
export function respondToRead(read: ReadRequest): PlainResponse | Promise<PlainResponse> {
  const { tables, caller, table, request } = read;
  const reads = tables.reads.get(table);
  if (!reads) throw unknownTable();
  const preferences = parsePreferences(request);
  const key = keyOf(table, caller, { preferences, url: request.url });
  return tables.kept.answer(key, () => readAnew(read, reads, preferences));
}

function readAnew(
  { project: { database }, caller, request }: ReadRequest,
  { context, forms }: TableReads,
  preferences: Preferences,
): PlainResponse | Promise<PlainResponse> {
  const { table } = context;
  const parameters = parseParameters(request.url);
  requireNoneOfNewRows(parameters);
  const form = forms(parameters);
  const query = authorizeRead(parseQuery(parameters, table, form), table, caller);
  const source = { database, context, form, options: { anonymous: caller.kind === 'anonymous' } };
  const page = readPage(source, query, preferences.countExact);
  return whenReady(page, (found) => presentPage(found, query, preferences));
}

/** All that an answer depends on, what others have written last. */
function keyOf(
  table: string,
  caller: Caller,
  { preferences, url }: { preferences: Preferences; url: string },
): string {
  const { singular, csv, countExact, applied } = preferences;
  const question = url.indexOf('?');
  const search = question < 0 ? '' : url.slice(question);
  const form = csv ? 'csv' : singular ? 'object' : 'json';
  return `${form} ${countExact} ${table} ${search}\n${applied}\n${callerKey(caller)}`;
}

/** What policies may ask of a caller. */
function callerKey(caller: Caller): string {
  if (caller.kind !== 'user') return caller.kind;
  const { id, role, email, displayName } = caller;
  return JSON.stringify([id, role, email, displayName]);
}
