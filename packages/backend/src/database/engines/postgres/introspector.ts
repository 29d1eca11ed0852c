import {
  type ColumnMetadata,
  type DatabaseIntrospector,
  type Kysely,
  type SchemaMetadata,
  sql,
  type TableMetadata,
} from 'kysely';

interface FoundColumn {
  schema: string;
  table: string;
  kind: string;
  name: string;
  type: string;
  type_schema: string;
  required: boolean;
  has_default: boolean;
  identity: boolean;
  comment: string | null;
}

/** A project's own tables: those of others in the same database are none of its business. */
export class ProjectIntrospector implements DatabaseIntrospector {
  readonly #database: Kysely<unknown>;

  constructor(database: Kysely<unknown>) {
    this.#database = database;
  }

  async getSchemas(): Promise<SchemaMetadata[]> {
    const { rows } = await sql<SchemaMetadata>`SELECT current_schema()::text AS name`.execute(this.#database);
    return rows;
  }

  async getTables({ withInternalKyselyTables = false } = {}): Promise<TableMetadata[]> {
    const { rows } = await sql<FoundColumn>`
      SELECT current_schema()::text AS schema, relname AS table, relkind AS kind, attname AS name,
        typname AS type, type.typnamespace::regnamespace::text AS type_schema, attnotnull AS required,
        atthasdef AS has_default, attidentity <> '' AS identity, col_description(attrelid, attnum) AS comment
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_type AS type ON type.oid = atttypid
      WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind IN ('r', 'p', 'v', 'f')
        AND attnum > 0 AND NOT attisdropped
      ORDER BY relname, attnum`.execute(this.#database);
    const tables = new Map<string, TableMetadata & { columns: ColumnMetadata[] }>();
    for (const { schema, table: name, kind, ...column } of rows) {
      if (!withInternalKyselyTables && name.startsWith('kysely_migration')) continue;
      const table = tables.get(name) ?? {
        name,
        schema,
        isView: kind === 'v',
        isForeign: kind === 'f',
        columns: [],
      };
      tables.set(name, table);
      table.columns.push({
        name: column.name,
        dataType: column.type,
        dataTypeSchema: column.type_schema,
        isNullable: !column.required,
        hasDefaultValue: column.has_default,
        isAutoIncrementing: column.identity,
        ...(column.comment !== null && { comment: column.comment }),
      });
    }
    return [...tables.values()];
  }
}
