import { constants } from 'node:sqlite';
import { MIGRATION_LOCK_TABLE, MIGRATION_TABLE } from '../../../migrate.ts';
import { NotAllowed, tableIsProtected } from '../../../sql/statement-error.ts';
import { CLIENT_TABLES, nameIsReserved } from './client-tables.ts';
import { RECORD_FUNCTION, RESERVED_PREFIX } from './record-changes.ts';

/** What SQLite asks about before it compiles a part of a statement: which parts are there depends on the action. */
export interface Action {
  code: number;
  first: string | null;
  second: string | null;
  database: string | null;
  /** The trigger or view that it stands in. */
  within: string | null;
}

export interface GuardOptions {
  mode: 'read' | 'write';
  /** Tables and views that migrations make, in lower case. */
  protectedTables: ReadonlySet<string>;
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

/** Pragmas that tell something, and do nothing even with a value. */
const TELLING: readonly string[] = [
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

/** Pragmas that tell something as long as they are given no value. */
const TELLING_BARE: readonly string[] = [
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

/** Kinds of virtual tables that keep everything in the file. */
const MODULES: readonly string[] = ['fts3', 'fts4', 'fts5', 'fts5vocab', 'rtree', 'rtree_i32', 'geopoly'];

const FUNCTIONS_REFUSED: readonly string[] = ['load_extension', 'fts3_tokenizer'];

/** Whose rows tell the server what it is made of. */
const TABLES_KEPT: readonly string[] = [MIGRATION_TABLE, MIGRATION_LOCK_TABLE, CLIENT_TABLES];

/** Where SQLite itself writes, and lets nobody else write. */
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
  // What is first is the database, and there is one.
  [SQLITE_ALTER_TABLE, (action, tables) => requireChangeable(action, [action.second], tables)],
]);

/**
 * Throws NotAllowed for an action that is not for clients: to reach another file, to change how the connection or the
 * file works, to make what outlives the batch in memory, or to change what migrations make. Throws WouldWrite where
 * nothing can be written.
 */
export function requireAllowed(action: Action, { mode, protectedTables }: GuardOptions): void {
  const check = READING.get(action.code) ?? (mode === 'read' ? wouldWrite : WRITING.get(action.code));
  if (!check) throw new NotAllowed('it reaches beyond the tables of the project, or lasts beyond the batch.');
  check(action, protectedTables);
}

/** Is thrown for what would write in a batch that only reads. */
export class WouldWrite extends Error {}

function wouldWrite(): never {
  throw new WouldWrite();
}

function requireFunction({ second: name, within }: Action): void {
  const called = name?.toLowerCase() ?? '';
  if (FUNCTIONS_REFUSED.includes(called))
    throw new NotAllowed(`the function ${called} is not for clients to call.`);
  if (called === RECORD_FUNCTION && !within?.startsWith(RESERVED_PREFIX)) {
    throw new NotAllowed(`the function ${called} is the server's own.`);
  }
}

function requirePragma({ first, second: value }: Action): void {
  const name = first?.toLowerCase() ?? '';
  if (TELLING.includes(name) || (value === null && TELLING_BARE.includes(name))) return;
  throw new NotAllowed(`PRAGMA ${name}${value === null ? '' : ' with a value'} is not for clients to give.`);
}

function requireRows({ first, database }: Action): void {
  const table = first?.toLowerCase() ?? '';
  if (database === 'temp' && !SCHEMA_TABLES.includes(table)) throw notTemporary();
  if (TABLES_KEPT.includes(table))
    throw new NotAllowed(`rows of "${table}" are written by the server alone.`);
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
