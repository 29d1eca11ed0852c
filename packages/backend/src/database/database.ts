import type { Kysely } from 'kysely';

/** A column as the engine reports it. */
export interface EngineColumn {
  name: string;
  type: 'text' | 'integer' | 'real' | 'blob' | 'boolean' | 'json';
  nullable: boolean;
}

/** How an engine writes what SQL dialects disagree about. */
export interface Syntax {
  /** The nth bound parameter, from 1. */
  placeholder(position: number): string;
  /** A case-insensitive LIKE of `column` with the pattern in `placeholder`, whose escape character is `\`. */
  ilike(column: string, placeholder: string): string;
  /** A case-sensitive one. */
  like(column: string, placeholder: string): string;
}

/** A project's tables on whichever engine holds them. Tables are typed by the service that owns them. */
export interface Database {
  /** Sees committed rows only, and never waits for a writer. */
  // biome-ignore lint/suspicious/noExplicitAny: each service narrows this to the tables that it owns
  readonly reader: Kysely<any>;
  /** One writer at a time; use `writer.transaction()` for more than one statement. */
  // biome-ignore lint/suspicious/noExplicitAny: each service narrows this to the tables that it owns
  readonly writer: Kysely<any>;
  readonly syntax: Syntax;
  /** Columns of a table or view, in order; empty when there is none of that name. */
  columns(table: string): Promise<EngineColumn[]>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}
