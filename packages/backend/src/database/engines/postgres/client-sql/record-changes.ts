import { escapeIdentifier } from 'pg';
import type { Change, Row } from '../../../../core/bus.ts';
import { toChange } from '../../../recorded-tables.ts';
import { MOST_CHANGED_BYTES, MOST_CHANGES } from '../../../sql/statement-batch.ts';
import { NotAllowed, tooManyChanges } from '../../../sql/statement-error.ts';
import type { Ask } from './ask.ts';

/** What the recorder says when there are more changes than are told. */
export const TOO_MANY_CHANGES = 'FB001';

/** On within batches alone: anywhere else the triggers look at it and do no more. */
const SETTING = 'fabrica.record';
const COUNT = 'fabrica.recorded';
export const RECORD_FUNCTION = 'fabrica_record_change';
const ROWS = 'fabrica_record';
const TRUNCATION = 'fabrica_record_truncate';

/** Of installing the recorder, in the project whose number stands beside it. */
const INSTALL_LOCK = 717_316_411;

const BODY = `
DECLARE
  recorded integer := pg_catalog.current_setting('${COUNT}')::integer + 1;
BEGIN
  IF recorded > ${MOST_CHANGES} THEN
    RAISE EXCEPTION USING ERRCODE = '${TOO_MANY_CHANGES}', MESSAGE = 'too many changes';
  END IF;
  PERFORM pg_catalog.set_config('${COUNT}', recorded::text, true);
  IF TG_OP = 'TRUNCATE' THEN
    EXECUTE pg_catalog.format(
      'INSERT INTO pg_temp.fabrica_changes SELECT %L, pg_catalog.row_to_json(gone)::text, NULL FROM %I.%I AS gone LIMIT ${MOST_CHANGES + 1}',
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
 * Notes from now on, to the end of the transaction, what is changed in these tables, whatever makes it change. Their
 * triggers are made at the first time and stay; they do nothing for anybody else.
 */
export async function recordChanges(ask: Ask, tables: readonly string[]): Promise<void> {
  const missing = await withoutRecorder(ask, tables);
  if (missing.length > 0) await install(ask, tables);
  await ask(
    `CREATE TEMP TABLE fabrica_changes (name text, before text, after text) ON COMMIT DROP;
     SELECT set_config('${SETTING}', 'on', true), set_config('${COUNT}', '0', true)`,
  );
}

/** In order. Throws NotAllowed when there are too many, or when the batch has switched the recorder off. */
export async function readChanges(ask: Ask): Promise<Change[]> {
  const [facts] = await ask(
    `SELECT current_setting('${SETTING}', true) AS setting, count(*)::integer AS rows,
       coalesce(sum(coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0)), 0)::bigint AS bytes
     FROM pg_temp.fabrica_changes`,
  );
  if (facts?.setting !== 'on') throw new NotAllowed(`the setting "${SETTING}" is the server's own.`);
  if (facts.rows === 0) return [];
  if (Number(facts.rows) > MOST_CHANGES || Number(facts.bytes) > MOST_CHANGED_BYTES) throw tooManyChanges();
  const rows = await ask('SELECT name, before, after FROM pg_temp.fabrica_changes ORDER BY ctid');
  return rows.flatMap(({ name, before, after }) => {
    return toChange({ table: String(name), before: parseRow(before), after: parseRow(after) }) ?? [];
  });
}

interface Found {
  name: string;
  complete: boolean;
}

/** Those of `tables` that exist and have no recorder, or another one than this program's. */
async function withoutRecorder(ask: Ask, tables: readonly string[]): Promise<string[]> {
  const found = (await ask(
    `SELECT relname AS name, (
         SELECT count(*) FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
         WHERE tgrelid = pg_class.oid AND tgname IN ('${ROWS}', '${TRUNCATION}') AND tgenabled = 'O'
           AND pronamespace = relnamespace AND proname = '${RECORD_FUNCTION}' AND prosrc = $2
       ) = 2 AS complete
     FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND relname = ANY ($1)
     ORDER BY relname`,
    [tables, BODY],
  )) as unknown as Found[];
  return found.filter(({ complete }) => !complete).map(({ name }) => name);
}

/** Of several processes that find it missing, one makes it. */
async function install(ask: Ask, tables: readonly string[]): Promise<void> {
  await ask(`SELECT pg_advisory_xact_lock(${INSTALL_LOCK}, current_schema()::regnamespace::oid::integer)`);
  const missing = await withoutRecorder(ask, tables);
  if (missing.length === 0) return;
  await ask(
    `CREATE OR REPLACE FUNCTION ${RECORD_FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $fabrica$${BODY}$fabrica$`,
  );
  const when = `WHEN (pg_catalog.current_setting('${SETTING}', true) = 'on') EXECUTE FUNCTION ${RECORD_FUNCTION}()`;
  for (const table of missing.map(escapeIdentifier)) {
    await ask(
      `CREATE OR REPLACE TRIGGER ${ROWS} AFTER INSERT OR UPDATE OR DELETE ON ${table} FOR EACH ROW ${when}`,
    );
    await ask(
      `CREATE OR REPLACE TRIGGER ${TRUNCATION} BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT ${when}`,
    );
  }
}

/** Whole numbers beyond 2^53 as text. */
function parseRow(json: unknown): Row | null {
  if (typeof json !== 'string') return null;
  return JSON.parse(json, keepDigits as (key: string, value: unknown) => unknown);
}

function keepDigits(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  return /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? source : value;
}
