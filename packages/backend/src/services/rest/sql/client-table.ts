import { AppError } from '../../../core/errors.ts';
import type { Column } from '../../../core/project.ts';
import type { Database } from '../../../database/port.ts';
import type { CompileContext } from '../../../database/query/compile.ts';
import { type TableSchema, unknownTable } from '../../../database/schema.ts';

/** Engines themselves limit what a column holds, and return values of types that a project cannot define as text. */
const TEXT: Column = { type: 'text', max: Number.MAX_SAFE_INTEGER, nullable: true };
const INTEGER: Column = { type: 'integer', nullable: true };

/**
 * Returns a table or view that SQL with the secret key has created, for requests with that key. It is described anew for
 * each request, because SQL may alter it at any time. Throws UNKNOWN_TABLE for any other name, those of the services' tables
 * among them.
 */
export async function requireClientTable(
  database: Pick<Database, 'clientColumns' | 'syntax'>,
  name: string,
): Promise<CompileContext> {
  // No engine has a name with the character NUL, and PostgreSQL takes none as a value.
  const found = name.includes('\0') ? [] : await database.clientColumns(name);
  if (found.length === 0) throw unknownTable();
  const columns = new Map(found.map((column) => [column.name, column.type === 'integer' ? INTEGER : TEXT]));
  if (!columns.has('id')) {
    throw new AppError(
      'UNKNOWN_COLUMN',
      `Table "${name}" has no column "id", in whose order rows are listed.`,
    );
  }
  const table: TableSchema = {
    name,
    columns,
    policies: new Map(),
    roles: {},
    view: false,
    idPrefix: '',
    hidesOwner: false,
    byIdOnly: false,
    onePer: undefined,
    searchedTexts: [],
  };
  return { schema: new Map([[name, table]]), table, syntax: database.syntax };
}
