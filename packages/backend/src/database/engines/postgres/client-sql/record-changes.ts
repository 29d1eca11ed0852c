import { escapeIdentifier } from 'pg';
import type { Change, Row } from '../../../../core/bus.ts';
import { changeUnlessSame } from '../../../changes.ts';
import { MAX_CHANGED_BYTES, MAX_CHANGES } from '../../../sql/statement-batch.ts';
import { NotAllowed, tooManyChanges } from '../../../sql/statement-error.ts';

/** Runs a statement of the transaction and returns its rows. */
export type RunSql = (text: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;

/** The SQLSTATE of the recorder's error when there are too many changes. */
export const TOO_MANY_CHANGES = 'FB001';

/** The setting is on within batches; otherwise the triggers do nothing. */
const SETTING = 'fabrica.record';
const COUNT = 'fabrica.recorded';
export const RECORDER_FUNCTION = 'fabrica_record_change';
const ROW_TRIGGER = 'fabrica_record';
const TRUNCATE_TRIGGER = 'fabrica_record_truncate';

/** The first key of the advisory lock for installing the recorder; the second one is the schema's. */
const INSTALL_LOCK = 717_316_411;

const RECORDER_BODY = `
DECLARE
  recorded integer := pg_catalog.current_setting('${COUNT}')::integer + 1;
BEGIN
  IF recorded > ${MAX_CHANGES} THEN
    RAISE EXCEPTION USING ERRCODE = '${TOO_MANY_CHANGES}', MESSAGE = 'too many changes';
  END IF;
  PERFORM pg_catalog.set_config('${COUNT}', recorded::text, true);
  IF TG_OP = 'TRUNCATE' THEN
    EXECUTE pg_catalog.format(
      'INSERT INTO pg_temp.fabrica_changes SELECT %L, pg_catalog.row_to_json(gone)::text, NULL FROM %I.%I AS gone LIMIT ${MAX_CHANGES + 1}',
      TG_TABLE_NAME, TG_TABLE_SCHEMA, TG_TABLE_NAME);
  ELSE
    INSERT INTO pg_temp.fabrica_changes VALUES (
      TG_TABLE_NAME,
      CASE WHEN TG_OP <> 'INSERT' THEN pg_catalog.row_to_json(OLD)::text END,
      CASE WHEN TG_OP <> 'DELETE' THEN pg_catalog.row_to_json(NEW)::text END);
  END IF;
  RETURN NULL;
END
`;

/**
 * Starts recording all changes of these tables until the end of the transaction, whatever causes them. The triggers
 * are created at the first use and remain; they do nothing in other transactions.
 */
export async function startRecorder(run: RunSql, tables: readonly string[]): Promise<void> {
  const missing = await withoutRecorder(run, tables);
  if (missing.length > 0) await install(run, tables);
  await run(
    `CREATE TEMP TABLE fabrica_changes (name text, before text, after text) ON COMMIT DROP;
     SELECT set_config('${SETTING}', 'on', true), set_config('${COUNT}', '0', true)`,
  );
}

/** Returns the recorded changes in order. Throws NotAllowed when there are too many, or when the recorder was off. */
export async function readChanges(run: RunSql): Promise<Change[]> {
  const [recorder] = await run(
    `SELECT current_setting('${SETTING}', true) AS setting, count(*)::integer AS rows,
       coalesce(sum(coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0)), 0)::bigint AS bytes
     FROM pg_temp.fabrica_changes`,
  );
  if (recorder?.setting !== 'on') throw new NotAllowed(`the setting "${SETTING}" is the server's own.`);
  if (recorder.rows === 0) return [];
  if (Number(recorder.rows) > MAX_CHANGES || Number(recorder.bytes) > MAX_CHANGED_BYTES)
    throw tooManyChanges();
  const rows = await run('SELECT name, before, after FROM pg_temp.fabrica_changes ORDER BY ctid');
  return rows.flatMap(({ name, before, after }) => {
    return changeUnlessSame(String(name), parseRow(before), parseRow(after)) ?? [];
  });
}

/** Returns the existing ones of these tables that do not have this version of the recorder. */
async function withoutRecorder(run: RunSql, tables: readonly string[]): Promise<string[]> {
  const found = await run(
    `SELECT relname AS name, (
         SELECT count(*) FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
         WHERE tgrelid = pg_class.oid AND tgname IN ('${ROW_TRIGGER}', '${TRUNCATE_TRIGGER}') AND tgenabled = 'O'
           AND pronamespace = relnamespace AND proname = '${RECORDER_FUNCTION}' AND prosrc = $2
       ) = 2 AS complete
     FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND relname = ANY ($1)
     ORDER BY relname`,
    [tables, RECORDER_BODY],
  );
  return found.filter(({ complete }) => !complete).map(({ name }) => String(name));
}

/** Installs the recorder; several processes that find it missing do so one after the other. */
async function install(run: RunSql, tables: readonly string[]): Promise<void> {
  await run(`SELECT pg_advisory_xact_lock(${INSTALL_LOCK}, current_schema()::regnamespace::oid::integer)`);
  const missing = await withoutRecorder(run, tables);
  if (missing.length === 0) return;
  await run(
    `CREATE OR REPLACE FUNCTION ${RECORDER_FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $fabrica$${RECORDER_BODY}$fabrica$`,
  );
  const when = `WHEN (pg_catalog.current_setting('${SETTING}', true) = 'on') EXECUTE FUNCTION ${RECORDER_FUNCTION}()`;
  for (const table of missing.map(escapeIdentifier)) {
    await run(
      `CREATE OR REPLACE TRIGGER ${ROW_TRIGGER} AFTER INSERT OR UPDATE OR DELETE ON ${table} FOR EACH ROW ${when}`,
    );
    await run(
      `CREATE OR REPLACE TRIGGER ${TRUNCATE_TRIGGER} BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT ${when}`,
    );
  }
}

/** Parses a row, with integers beyond 2^53 as text. */
function parseRow(json: unknown): Row | null {
  if (typeof json !== 'string') return null;
  return JSON.parse(json, keepDigits as (key: string, value: unknown) => unknown);
}

function keepDigits(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  return /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? source : value;
}
