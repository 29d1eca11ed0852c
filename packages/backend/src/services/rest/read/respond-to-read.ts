import type { Caller } from '../../../core/caller.ts';
import type { Project } from '../../../database/project.ts';
import type { CompileContext } from '../../../database/query/compile.ts';
import { type Schema, unknownTable } from '../../../database/schema.ts';
import type { PlainResponse } from '../../../http/compression.ts';
import { authorizeRead } from '../authorize.ts';
import { hidesOwner, listWithoutOwners } from '../hidden-owner.ts';
import { requireClientTable } from '../sql/client-table.ts';
import { parseParameters, parseReadQuery, requireNoInsertParameters } from './parse.ts';
import { type Preferences, parsePreferences } from './preferences.ts';
import { presentPage } from './present.ts';
import { readPage } from './read-page.ts';

/** A read by a caller who is authenticated, of a table that may not exist. */
export interface ReadRequest {
  project: Project;
  schema: Schema;
  caller: Caller;
  table: string;
  request: { url: string; header(name: string): string | undefined };
}

/** GET returns the rows that the caller may read. Rejects with the errors of parsing, policies and preferences. */
export async function respondToRead(read: ReadRequest): Promise<PlainResponse> {
  const { project, schema, caller, request } = read;
  const table = schema.get(read.table);
  if (!table && caller.kind !== 'service') throw unknownTable();
  const preferences = parsePreferences(request);
  const { syntax } = project.database;
  return table ? readTable(read, { schema, table, syntax }, preferences) : readClientTable(read, preferences);
}

/** Reads a table that SQL has created. */
async function readClientTable(read: ReadRequest, preferences: Preferences): Promise<PlainResponse> {
  const context = await requireClientTable(read.project.database, read.table);
  return readTable(read, { ...context, createdBySql: true }, preferences);
}

async function readTable(
  { project: { database }, caller, request }: ReadRequest,
  { createdBySql = false, ...context }: CompileContext & { createdBySql?: boolean },
  preferences: Preferences,
): Promise<PlainResponse> {
  const { table } = context;
  const parameters = parseParameters(request.url);
  requireNoInsertParameters(parameters);
  const query = authorizeRead(parseReadQuery(parameters, table), table, caller);
  const isPublic = caller.kind === 'anonymous';
  const options = { anonymous: isPublic, createdBySql };
  const source = { database, context, options };
  const found = await readPage(source, query, preferences.countExact);
  const shown = hidesOwner(table, caller) ? { ...found, list: listWithoutOwners(found.list, caller) } : found;
  return presentPage(shown, { ...query, isPublic }, preferences);
}
