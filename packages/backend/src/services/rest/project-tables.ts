import type { Project } from '../../database/project.ts';
import type { CompileContext } from '../../database/query/compile.ts';
import { type Schema, schemaOf } from '../../database/schema.ts';
import { createListForms, type ListForms } from './read/list-form.ts';
import { createResponseCache, type ResponseCache } from './read/response-cache.ts';

/** What is made once for each project, and used by every request on it. */
export interface ProjectTables {
  schema: Schema;
  kept: ResponseCache;
  /** What reads of a table need; undefined for none of the schema. */
  reads: ReadonlyMap<string, TableReads>;
}

export interface TableReads {
  context: CompileContext;
  forms: ListForms;
}

export type TablesOf = (project: Project) => ProjectTables;

/** A project stays what it is while it runs: what is made of it is made at its first request. */
export function projectTables(): TablesOf {
  const known = new WeakMap<Project, ProjectTables>();
  return (project) => {
    const tables = known.get(project) ?? tablesOf(project);
    known.set(project, tables);
    return tables;
  };
}

function tablesOf({ definition, database }: Project): ProjectTables {
  const schema = schemaOf(definition);
  const reads = new Map<string, TableReads>();
  for (const [name, table] of schema) {
    const context = { schema, table, syntax: database.syntax };
    reads.set(name, { context, forms: createListForms(context) });
  }
  return { schema, reads, kept: createResponseCache(database) };
}
