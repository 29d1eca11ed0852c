import { COMPARISON_OPERATORS } from '@fabrica/contract';
import { z } from 'zod';
import type { Filter } from './filter.ts';
import type { ProjectDefinition, Table, TextColumn } from './project.ts';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const operand = z.union([scalar, z.strictObject({ caller: z.enum(['id', 'email', 'name']) })], {
  error: 'must be text, a number, true, false, null, or something of the caller',
});
const column = z.string().min(1);
const count = z.int();

const filter: z.ZodType<Filter> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('compare'),
      column,
      operator: z.enum(COMPARISON_OPERATORS),
      value: operand,
    }),
    z.strictObject({ kind: z.literal('is'), column, value: z.enum(['null', 'true', 'false']) }),
    z.strictObject({ kind: z.literal('in'), column, values: z.array(operand) }),
    z.strictObject({ kind: z.enum(['and', 'or']), of: z.array(filter) }),
    z.strictObject({ kind: z.literal('not'), of: filter }),
    z.strictObject({ kind: z.literal('through'), column, table: z.string().min(1), where: filter }),
    z.strictObject({ kind: z.literal('permitted'), permission: z.string().min(1) }),
  ]),
);

const rowPolicy = z.strictObject({
  read: filter.optional(),
  create: filter.optional(),
  update: z.strictObject({ where: filter, columns: z.array(column) }).optional(),
  delete: filter.optional(),
});

const isFunction = (value: unknown) => typeof value === 'function';

const pattern = z
  .instanceof(RegExp, { error: 'must be a regular expression' })
  .refine(
    ({ global, sticky }) => !global && !sticky,
    'must not have the flags g or y, with which it remembers',
  );

const columnRule = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    min: count.optional(),
    max: count.min(1),
    trim: z.boolean().optional(),
    nullable: z.boolean().optional(),
    pattern: pattern.optional(),
    check: z.custom<NonNullable<TextColumn['check']>>(isFunction, 'must be a function').optional(),
    stamp: z.literal('caller-name').optional(),
    default: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('integer'),
    min: count.optional(),
    max: count.optional(),
    nullable: z.boolean().optional(),
    default: count.optional(),
    stamp: z.enum(['create', 'write']).optional(),
  }),
]);

const limit = z.int().min(1);

const table = z.strictObject({
  columns: z.record(z.string(), columnRule),
  view: z.boolean().optional(),
  ofUsers: z.boolean().optional(),
  idPrefix: z.string().optional(),
  policies: z.record(z.string(), rowPolicy),
  onePer: z.array(column).optional(),
  searchedTexts: z.array(z.array(column).min(1)).optional(),
  check: z.custom<NonNullable<Table['check']>>(isFunction, 'must be a function').optional(),
  hidesOwner: z.boolean().optional(),
  byIdOnly: z.boolean().optional(),
  moderated: z.boolean().optional(),
  limits: z
    .strictObject({
      rowsPerMinute: limit.optional(),
      bytesPerMinute: limit.optional(),
      rowsPerHour: z.record(column, limit).optional(),
    })
    .optional(),
  files: z.array(column).optional(),
});

const programs = z.string().min(1);
/** Other members are allowed, for a migration may be a module. */
const migration = z.looseObject({
  up: z.custom(isFunction, 'must be a function'),
  down: z.custom(isFunction, 'must be a function').optional(),
  fill: z.custom(isFunction, 'must be a function').optional(),
  compatibleWith: z
    .union([programs, z.strictObject({ sqlite: programs.optional(), postgres: programs.optional() })])
    .optional(),
});

const access = z.union(
  [
    z.enum(['anyone', 'signedIn', 'server']),
    z.strictObject({ kind: z.literal('permitted'), permission: z.string().min(1) }),
  ],
  { error: "must be 'anyone', 'signedIn', 'server' or permitted('…')" },
);
const channelPattern = z
  .string()
  .regex(/^([^{}*\p{Cc}]|\{\w+\}|\*)+$/u, 'must be names such as post:{id} or public:*');
const channelRule = z.strictObject({ join: access, publish: access, presence: access.optional() });

const rowsAbout = z.strictObject({ table: column, column, about: column });
const insights = z.strictObject({
  all: z.strictObject({ kind: z.literal('permitted'), permission: z.string().min(1) }).optional(),
  pages: z
    .record(
      z.string().regex(/^\/[^{}?#]*\{id\}[^{}?#]*$/, 'must be a path with {id} in it, such as /post/{id}'),
      z.string().min(1),
    )
    .optional(),
  counts: z
    .record(z.string().regex(/^[a-z][A-Za-z0-9]*$/, 'must be a name such as likes'), rowsAbout)
    .optional(),
});

const origin = z.string().refine(isOrigin, 'must be an origin such as https://example.org, or *');

const definition = z.strictObject({
  id: z.string(),
  tables: z.record(z.string(), table),
  roles: z.record(
    z.string(),
    z.strictObject({ permissions: z.array(z.string()), inherits: z.array(z.string()).optional() }),
  ),
  languages: z.array(z.string().min(1)).min(1).optional(),
  signUpRole: z.string(),
  origins: z.array(origin),
  migrations: z.record(z.string(), migration),
  notices: z
    .record(z.string().regex(/^[a-z][a-z-]*$/, 'must be small letters and "-"'), rowsAbout)
    .optional(),
  whenAccountIsDeleted: z
    .record(
      z.string(),
      z.union([z.literal('delete'), z.strictObject({ set: z.record(z.string(), scalar) })], {
        error: "must be 'delete' or { set: … }",
      }),
    )
    .optional(),
  forgetAccount: z.custom<ProjectDefinition['forgetAccount']>(isFunction, 'must be a function').optional(),
  channels: z.record(channelPattern, channelRule).optional(),
  insights: insights.optional(),
  announce: z.custom<ProjectDefinition['announce']>(isFunction, 'must be a function').optional(),
});

/**
 * Describes what is wrong with the shape of a definition, as a compiler would for one that it has seen. Returns undefined
 * when nothing is.
 */
export function shapeFault(value: ProjectDefinition): string | undefined {
  const { error } = definition.safeParse(value, { error: explain });
  return error?.issues
    .map(({ path, message }) => `${path.map(String).join('.')} ${message}`.trim())
    .join('; ');
}

/** Returns the end of a sentence that begins with the path of the value. */
function explain(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${EXPECTED[issue.expected] ?? issue.expected}`;
    case 'unrecognized_keys':
      return `has no place for ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => `"${String(value)}"`).join(', ')}`;
    case 'invalid_key':
      return issue.issues.map(({ message }) => message).join(', ');
    case 'invalid_union':
      return 'is none that there is';
    case 'too_small':
      return typeof issue.input === 'number' ? `must be ${issue.minimum} at least` : 'is empty';
    default:
      return undefined;
  }
}

const EXPECTED: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
};

function isOrigin(text: string): boolean {
  const { protocol, origin } = URL.parse(text) ?? {};
  return text === '*' || (/^https?:$/.test(protocol ?? '') && origin === text);
}
