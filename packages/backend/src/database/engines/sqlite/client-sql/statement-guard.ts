import { constants } from 'node:sqlite';
import { migrationTables } from '../../../migration-tables.ts';
import {
  NotAllowed,
  nameIsReserved,
  RESERVED_PREFIX,
  rowsAreReserved,
  tableIsProtected,
} from '../../../sql/statement-error.ts';
import { CLIENT_TABLES } from './client-tables.ts';

/** An action that SQLite asks the authorizer about; the meaning of `first` and `second` depends on the code. */
export interface Action {
  code: number;
  first: string | null;
  second: string | null;
  database: string | null;
}

export interface GuardOptions {
  mode: 'read' | 'write';
  /** Tables and views that come from migrations, in lower case. */
  protectedTables: ReadonlySet<string>;
  /** Is called with the name, in lower case, of each table whose rows an allowed statement may write. */
  onWrite(table: string): void;
}

const {
  SQLITE_SELECT,
  SQLITE_READ,
  SQLITE_RECURSIVE,
  SQLITE_FUNCTION,
  SQLITE_PRAGMA,
  SQLITE_INSERT,
  SQLITE_UPDATE,
  SQLITE_DELETE,
  SQLITE_REINDEX,
  SQLITE_ANALYZE,
  SQLITE_CREATE_TABLE,
  SQLITE_CREATE_VIEW,
  SQLITE_CREATE_VTABLE,
  SQLITE_CREATE_INDEX,
  SQLITE_CREATE_TRIGGER,
  SQLITE_DROP_TABLE,
  SQLITE_DROP_VIEW,
  SQLITE_DROP_VTABLE,
  SQLITE_DROP_INDEX,
  SQLITE_DROP_TRIGGER,
  SQLITE_ALTER_TABLE,
} = constants;

/** Pragmas that only read, even with a value. */
const READING_PRAGMAS: readonly string[] = [
  'table_info',
  'table_xinfo',
  'table_list',
  'index_list',
  'index_info',
  'index_xinfo',
  'foreign_key_list',
  'foreign_key_check',
  'integrity_check',
  'quick_check',
];

/** Pragmas that only read unless they are given a value. */
const READING_WITHOUT_VALUE: readonly string[] = [
  'application_id',
  'collation_list',
  'compile_options',
  'data_version',
  'encoding',
  'foreign_keys',
  'freelist_count',
  'function_list',
  'module_list',
  'page_count',
  'page_size',
  'pragma_list',
  'recursive_triggers',
  'schema_version',
  'user_version',
];

/** Modules of virtual tables that store everything in the file. */
const MODULES: readonly string[] = ['fts3', 'fts4', 'fts5', 'fts5vocab', 'rtree', 'rtree_i32', 'geopoly'];

const FUNCTIONS_REFUSED: readonly string[] = ['load_extension', 'fts3_tokenizer'];

/** Tables whose rows the server alone writes. */
const SERVER_TABLES: readonly string[] = [...migrationTables, CLIENT_TABLES];

/** Temporary tables that SQLite itself writes, and that statements cannot write. */
const SCHEMA_TABLES: readonly string[] = ['sqlite_temp_master', 'sqlite_temp_schema'];

type Check = (action: Action, protectedTables: ReadonlySet<string>) => void;

const allow: Check = () => undefined;
const changeFirst: Check = (action, tables) => requireChangeable(action, [action.first], tables);
const changeBoth: Check = (action, tables) =>
  requireChangeable(action, [action.first, action.second], tables);

const READING: ReadonlyMap<number, Check> = new Map([
  [SQLITE_SELECT, allow],
  [SQLITE_READ, allow],
  [SQLITE_RECURSIVE, allow],
  [SQLITE_FUNCTION, requireFunction],
  [SQLITE_PRAGMA, requirePragma],
]);

const WRITING: ReadonlyMap<number, Check> = new Map([
  [SQLITE_INSERT, requireRows],
  [SQLITE_UPDATE, requireRows],
  [SQLITE_DELETE, requireRows],
  [SQLITE_REINDEX, allow],
  [SQLITE_ANALYZE, allow],
  [SQLITE_CREATE_TABLE, changeFirst],
  [SQLITE_CREATE_VIEW, changeFirst],
  [SQLITE_CREATE_VTABLE, requireModule],
  [SQLITE_DROP_TABLE, changeFirst],
  [SQLITE_DROP_VIEW, changeFirst],
  [SQLITE_DROP_VTABLE, changeFirst],
  [SQLITE_CREATE_INDEX, changeBoth],
  [SQLITE_CREATE_TRIGGER, changeBoth],
  [SQLITE_DROP_INDEX, changeBoth],
  [SQLITE_DROP_TRIGGER, changeBoth],
  // The first argument is the database.
  [SQLITE_ALTER_TABLE, (action, tables) => requireChangeable(action, [action.second], tables)],
]);

/** SQLite also asks about the writes of triggers and cascades. */
const ROW_WRITES: readonly number[] = [SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE];

/**
 * Throws NotAllowed for an action that clients may not take: using another file, changing how the connection or the
 * file works, creating anything in memory that outlives the batch, or changing what migrations create. Throws
 * WouldWrite for a write in a batch that only reads.
 */
export function requireAllowed(action: Action, { mode, protectedTables, onWrite }: GuardOptions): void {
  const check = READING.get(action.code) ?? (mode === 'read' ? wouldWrite : WRITING.get(action.code));
  if (!check) throw new NotAllowed('it reaches beyond the tables of the project, or lasts beyond the batch.');
  check(action, protectedTables);
  if (ROW_WRITES.includes(action.code)) onWrite(action.first?.toLowerCase() ?? '');
}

/** Is thrown for a write in a batch that only reads. */
export class WouldWrite extends Error {}

function wouldWrite(): never {
  throw new WouldWrite();
}

function requireFunction({ second: name }: Action): void {
  const called = name?.toLowerCase() ?? '';
  if (FUNCTIONS_REFUSED.includes(called))
    throw new NotAllowed(`the function ${called} is not for clients to call.`);
}

function requirePragma({ first, second: value }: Action): void {
  const name = first?.toLowerCase() ?? '';
  if (READING_PRAGMAS.includes(name) || (value === null && READING_WITHOUT_VALUE.includes(name))) return;
  throw new NotAllowed(`PRAGMA ${name}${value === null ? '' : ' with a value'} is not for clients to give.`);
}

function requireRows({ first, database }: Action): void {
  const table = first?.toLowerCase() ?? '';
  if (database === 'temp' && !SCHEMA_TABLES.includes(table)) throw notTemporary();
  if (SERVER_TABLES.includes(table)) throw rowsAreReserved(table);
}

function requireModule(action: Action, protectedTables: ReadonlySet<string>): void {
  if (!MODULES.includes(action.second?.toLowerCase() ?? '')) {
    throw new NotAllowed(`virtual tables are of one of these kinds: ${MODULES.join(', ')}.`);
  }
  changeFirst(action, protectedTables);
}

function requireChangeable(
  { database }: Action,
  names: readonly (string | null)[],
  protectedTables: ReadonlySet<string>,
): void {
  if (database === 'temp') throw notTemporary();
  for (const name of names) {
    const plain = name?.toLowerCase() ?? '';
    if (plain.startsWith(RESERVED_PREFIX)) throw nameIsReserved(plain);
    if (protectedTables.has(plain)) throw tableIsProtected(plain);
  }
}

function notTemporary(): NotAllowed {
  return new NotAllowed('a batch makes nothing temporary, for nothing of it stays behind in the connection.');
}
