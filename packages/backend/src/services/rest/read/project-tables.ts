import type { Project } from '../../../database/project.ts';
import type { CompileContext } from '../../../database/query/compile.ts';
import { type Schema, schemaOf } from '../../../database/schema.ts';
import { createListForms, type ListForms } from './list-form.ts';

/** The parts of a project that all requests on its tables share. */
export interface ProjectTables {
  schema: Schema;
  /** The tables by name, as reads need them. */
  readable: ReadonlyMap<string, ReadableTable>;
}

export interface ReadableTable {
  context: CompileContext;
  forms: ListForms;
}

export type TablesOf = (project: Project) => ProjectTables;

/** Returns a function that builds the tables of a project at its first request, and returns the same ones later. */
export function createTablesOf(): TablesOf {
  const built = new WeakMap<Project, ProjectTables>();
  return (project) => {
    const tables = built.get(project) ?? buildTables(project);
    built.set(project, tables);
    return tables;
  };
}

function buildTables({ definition, database }: Project): ProjectTables {
  const schema = schemaOf(definition);
  const readable = new Map<string, ReadableTable>();
  for (const [name, table] of schema) {
    const context = { schema, table, syntax: database.syntax };
    readable.set(name, { context, forms: createListForms(context) });
  }
  return { schema, readable };
}
