import type { Project } from '../../database/project.ts';
import { type Schema, schemaOf } from '../../database/schema.ts';

/** Returns a function that builds the schema of a project at its first request, and returns the same one later. */
export function createSchemas(): (project: Project) => Schema {
  const built = new WeakMap<Project, Schema>();
  return (project) => {
    const schema = built.get(project) ?? schemaOf(project.definition);
    built.set(project, schema);
    return schema;
  };
}
