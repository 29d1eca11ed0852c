import type { Filter, Scalar } from '../../core/filter.ts';
import { ALWAYS, type CompileContext, FilterWriter, type RowsText } from './compile.ts';
import type { Query, Statement } from './query.ts';

/** Separates the rows of a JSON text. A row never contains it: JSON writes a line break as `\\n`. */
export const ROW_SEPARATOR = ',\n';

/** The SQL that depends on the columns and the order of a query alone. */
export interface ListText {
  /** An expression for a row as the text of a JSON object. */
  json: string;
  /** An expression for the columns of the order as a JSON object; undefined when the row contains them. */
  position: string | undefined;
  /** The terms of ORDER BY. */
  order: string;
  /** The texts of the statements on such lists, by their conditions and limits. */
  statements: Map<string, string>;
}

/** Statements on lists of one form: requests repeat few of them, with other values. */
const MAX_STATEMENTS = 8;
/** Characters of conditions and limits. */
const MAX_CONDITIONS_LENGTH = 500;

export function writeListText(
  context: CompileContext,
  { columns, order }: Pick<Query, 'columns' | 'order'>,
): ListText {
  const writer = new FilterWriter(context);
  const ordered = order.map(({ column }) => column);
  const hidden = ordered.some((column) => !columns.includes(column));
  return {
    json: writer.json(columns),
    position: hidden ? writer.json(ordered) : undefined,
    order: writer.order(order),
    statements: new Map(),
  };
}

/**
 * Selects all rows of a query as one row: their text, their number, and the text of their positions if needed. Where
 * `isAggregated` is false, each row is a row of the result, with the same columns, which takes less time for a single one.
 *
 * The same text is returned for the same conditions, whichever caller they are of: engines look up prepared statements by it, and
 * comparing a text with itself takes no time.
 */
export function compileJson(
  context: CompileContext,
  query: Query,
  { text, limit, isAggregated }: { text: ListText; limit: number; isAggregated: boolean },
): Statement {
  const writer = new FilterWriter(context);
  const rows = writer.rows(query, limit);
  const key = `${isAggregated}${rows.where}${rows.limit}`;
  const known = text.statements.get(key);
  if (known !== undefined) return { sql: known, parameters: writer.parameters };
  const sql = isAggregated ? aggregate(writer, rows, text) : selectEach(writer, rows, text);
  if (key.length <= MAX_CONDITIONS_LENGTH) {
    if (text.statements.size >= MAX_STATEMENTS) text.statements.clear();
    text.statements.set(key, sql);
  }
  return { sql, parameters: writer.parameters };
}

/**
 * Does the same as `compileJson`, for the rows with these ids. Rows that no longer satisfy the query's filter are
 * left out. The rows are looked up by id whatever the filter is.
 */
export function compileJsonOf(
  context: CompileContext,
  query: Query,
  { text, ids }: { text: ListText; ids: readonly Scalar[] },
): Statement {
  const writer = new FilterWriter(context);
  const condition = writer.filter(query.filter);
  const json = condition === ALWAYS ? text.json : `CASE WHEN ${condition} THEN ${text.json} END`;
  const filter: Filter = { kind: 'in', column: 'id', values: ids };
  const selected = { ...query, filter, offset: 0, after: undefined };
  return {
    sql: aggregate(writer, writer.rows(selected, ids.length), { ...text, json }),
    parameters: writer.parameters,
  };
}

type SelectedText = Omit<ListText, 'statements'>;

/** Aggregates rows, except those whose JSON is null. */
function aggregate(writer: FilterWriter, rows: RowsText, { json, position, order }: SelectedText): string {
  const list = position === undefined ? `${json} AS j` : `${json} AS j, ${position} AS p`;
  const text = `string_agg(j, '${ROW_SEPARATOR}'), count(j)`;
  const positions =
    position === undefined ? '' : `, string_agg(p, '${ROW_SEPARATOR}') FILTER (WHERE j IS NOT NULL)`;
  return `SELECT ${text}${positions} FROM (${writer.select(rows, list, order)}) AS page`;
}

/** Selects what `aggregate` aggregates, with the same columns. */
function selectEach(writer: FilterWriter, rows: RowsText, { json, position, order }: SelectedText): string {
  return writer.select(rows, position === undefined ? `${json}, 1` : `${json}, 1, ${position}`, order);
}
