import { can, type RoleMap } from '@fabrica/contract';
import type { Filter } from './filter.ts';
import type { ProjectDefinition, RowPolicy } from './project.ts';
import { shapeFault } from './project-shape.ts';

/** Role names that the backend gives a meaning to. */
const RESERVED_ROLES: readonly string[] = ['anonymous', 'service', 'signedIn'];

/**
 * Returns the definition once it is checked; `serviceTables` are names that its tables may not have. Throws an Error that
 * names the fault.
 */
export function validateProject(
  definition: ProjectDefinition,
  serviceTables: readonly string[],
): ProjectDefinition {
  const fault = shapeFault(definition);
  if (fault) throw new Error(`Project "${definition?.id}": ${fault}.`);
  if (!/^[a-z0-9][a-z0-9_-]{0,62}$/.test(definition.id)) {
    throw new Error(`Project id "${definition.id}" must be lower-case letters, digits, "-" or "_".`);
  }
  if (!Object.hasOwn(definition.roles, definition.signUpRole)) {
    throw new Error(
      `Project "${definition.id}": sign-up role "${definition.signUpRole}" is none of its roles (${Object.keys(definition.roles).join(', ')}).`,
    );
  }
  for (const [name, table] of Object.entries(definition.tables)) {
    if (!table.columns.id) throw new Error(`Project "${definition.id}": table "${name}" has no id column.`);
    if (serviceTables.includes(name)) {
      throw new Error(`Project "${definition.id}": "${name}" is a table of Fabrica itself.`);
    }
    const limited = Object.keys(table.limits?.rowsPerHour ?? {});
    requireColumns(definition, `the limits of "${name}"`, name, limited);
    if (table.hidesOwner) requireColumns(definition, `the hidden owners of "${name}"`, name, ['user_id']);
    requireGranted(
      definition,
      `a policy of table "${name}"`,
      Object.values(table.policies).flatMap(filtersOf),
    );
  }
  for (const [pattern, { join, publish, presence }] of Object.entries(definition.channels ?? {})) {
    const asked = [join, publish, presence].filter((access) => typeof access === 'object');
    requireGranted(definition, `channel "${pattern}"`, asked);
  }
  requireNoticeTables(definition);
  requireInsightTables(definition);
  const { all } = definition.insights ?? {};
  requireGranted(definition, 'insights', all ? [all] : []);
  for (const [name, { inherits = [] }] of Object.entries(definition.roles)) {
    if (RESERVED_ROLES.includes(name)) {
      throw new Error(`Project "${definition.id}": no role of its own may be called "${name}".`);
    }
    const unknown = inherits.find((role) => !Object.hasOwn(definition.roles, role));
    if (unknown === undefined) continue;
    throw new Error(
      `Project "${definition.id}": role "${name}" inherits "${unknown}", which is none of its roles.`,
    );
  }
  return definition;
}

/** Throws unless notices can be read by their columns. */
function requireNoticeTables(definition: ProjectDefinition): void {
  for (const [kind, { table, column, about }] of Object.entries(definition.notices ?? {})) {
    requireColumns(definition, `notices "${kind}"`, table, ['user_id', 'created_at', column]);
    // Of this one, rows are read by their ids alone: a view will do.
    if (!definition.tables[about]?.view || !definition.tables[about].columns.user_id)
      requireColumns(definition, `notices "${kind}"`, about, ['user_id']);
  }
}

/** Names that every day's figures have. */
const FIGURES: readonly string[] = ['day', 'views', 'readers', 'completedReads'];

function requireInsightTables(definition: ProjectDefinition): void {
  const { pages = {}, counts = {} } = definition.insights ?? {};
  for (const [path, table] of Object.entries(pages)) {
    requireColumns(definition, `the pages "${path}"`, table, ['user_id']);
  }
  for (const [name, { table, column, about }] of Object.entries(counts)) {
    if (FIGURES.includes(name)) {
      throw new Error(`Project "${definition.id}": "${name}" is counted already.`);
    }
    requireColumns(definition, `counts "${name}"`, table, ['created_at', column]);
    requireColumns(definition, `counts "${name}"`, about, ['user_id']);
  }
}

function requireColumns(
  { id, tables }: ProjectDefinition,
  asking: string,
  table: string,
  columns: readonly string[],
): void {
  const missing = columns.find((one) => !tables[table]?.columns[one] || tables[table].view);
  if (missing === undefined) return;
  throw new Error(`Project "${id}": ${asking} need a table "${table}" with a column "${missing}".`);
}

/** Returns the names of tables that are closed to all because no policy names anybody, rather than by policies without filters. */
export function unnamedTables({ tables }: ProjectDefinition): string[] {
  return Object.entries(tables).flatMap(([name, { policies }]) =>
    Object.keys(policies).length === 0 ? [name] : [],
  );
}

function filtersOf({ read, create, update, delete: remove }: RowPolicy): (Filter | undefined)[] {
  return [read, create, update?.where, remove];
}

/** Throws for a permission that no role names, since it is mistyped; `*` names none. */
function requireGranted(
  { id, roles }: ProjectDefinition,
  asking: string,
  filters: readonly (Filter | undefined)[],
): void {
  const named: RoleMap = Object.fromEntries(
    Object.entries(roles).map(([role, { permissions }]) => [
      role,
      { permissions: permissions.filter((permission) => permission !== '*') },
    ]),
  );
  for (const permission of filters.flatMap(permissionsIn)) {
    if (Object.keys(named).some((role) => can(named, role, permission))) continue;
    throw new Error(`Project "${id}": ${asking} asks for "${permission}", which no role grants by name.`);
  }
}

function permissionsIn(filter: Filter | undefined): string[] {
  switch (filter?.kind) {
    case 'permitted':
      return [filter.permission];
    case 'and':
    case 'or':
      return filter.of.flatMap(permissionsIn);
    case 'not':
      return permissionsIn(filter.of);
    case 'through':
      return permissionsIn(filter.where);
    default:
      return [];
  }
}
