import type { Filter, Scalar } from '../../core/filter.ts';
import { ALWAYS, type CompileContext, FilterWriter, type RowsText } from './compile.ts';
import type { Query, Statement } from './query.ts';

/** Separates the rows of a JSON text. A row never contains it: JSON writes a line break as `\\n`. */
export const ROW_SEPARATOR = ',\n';

/** The SQL that depends on the columns and the order of a query alone. */
interface ListText {
  /** An expression for a row as the text of a JSON object. */
  json: string;
  /** An expression for the columns of the order as a JSON object; undefined when the row contains them. */
  position: string | undefined;
  /** The terms of ORDER BY. */
  order: string;
}

function writeListText(writer: FilterWriter, { columns, order }: Pick<Query, 'columns' | 'order'>): ListText {
  const ordered = order.map(({ column }) => column);
  const hidden = hidesPosition({ columns, order });
  return {
    json: writer.json(columns),
    position: hidden ? writer.json(ordered) : undefined,
    order: writer.order(order),
  };
}

/** Tells whether the rows of a query lack columns of its order, so that their positions are selected beside them. */
function hidesPosition({ columns, order }: Pick<Query, 'columns' | 'order'>): boolean {
  return order.some(({ column }) => !columns.includes(column));
}

/**
 * Selects all rows of a query as one row: their text, their number, and the text of their positions if needed. Where
 * `isAggregated` is false, each row is a row of the result, with the same columns, which takes less time for a single one.
 */
export function compileJson(
  context: CompileContext,
  query: Query,
  { limit, isAggregated }: { limit: number; isAggregated: boolean },
): Statement {
  const writer = new FilterWriter(context);
  const rows = writer.rows(query, limit);
  const text = writeListText(writer, query);
  const sql = isAggregated ? aggregate(writer, rows, text) : selectEach(writer, rows, text);
  return { sql, parameters: writer.parameters };
}

/**
 * Does the same as `compileJson`, for the rows with these ids. Rows that no longer satisfy the query's filter are
 * left out. The rows are looked up by id whatever the filter is.
 */
export function compileJsonOf(context: CompileContext, query: Query, ids: readonly Scalar[]): Statement {
  const writer = new FilterWriter(context);
  const text = writeListText(writer, query);
  const condition = writer.filter(query.filter);
  const json = condition === ALWAYS ? text.json : `CASE WHEN ${condition} THEN ${text.json} END`;
  const filter: Filter = { kind: 'in', column: 'id', values: ids };
  const selected = { ...query, filter, offset: 0, after: undefined };
  return {
    sql: aggregate(writer, writer.rows(selected, ids.length), { ...text, json }),
    parameters: writer.parameters,
  };
}

/** Aggregates rows, except those whose JSON is null. */
function aggregate(writer: FilterWriter, rows: RowsText, { json, position, order }: ListText): string {
  const list = position === undefined ? `${json} AS j` : `${json} AS j, ${position} AS p`;
  const text = `string_agg(j, '${ROW_SEPARATOR}'), count(j)`;
  const positions =
    position === undefined ? '' : `, string_agg(p, '${ROW_SEPARATOR}') FILTER (WHERE j IS NOT NULL)`;
  return `SELECT ${text}${positions} FROM (${writer.select(rows, list, order)}) AS page`;
}

/** Selects what `aggregate` aggregates, with the same columns. */
function selectEach(writer: FilterWriter, rows: RowsText, { json, position, order }: ListText): string {
  return writer.select(rows, position === undefined ? `${json}, 1` : `${json}, 1, ${position}`, order);
}
