import fc from 'fast-check';

/** The parts of a JSON Schema that zod writes. */
export interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  format?: string;
}

const DEEP = 2_000;
const nested = (open: string, close: string) => open.repeat(DEEP) + close.repeat(DEEP);

/** Texts that a careless reader takes for something else. */
export const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\uD800',
    '\uFFFE',
    '\u202E',
    '\u2028',
    "'",
    '"',
    '`',
    '%',
    '%00',
    '../..',
    '\\',
    '<script>alert(1)</script>',
    '{{7*7}}',
    '\x24{7*7}',
    "' OR 1=1 --",
    'null',
    'undefined',
    'true',
    'NaN',
    '-1',
    '0x10',
    '1e999',
    '__proto__',
    'constructor',
    'a@b',
    'ada@example.org',
    'http://127.0.0.1/',
    // An address for documentation, which is no host of the internet.
    'https://198.51.100.7/a.png',
    'data:,',
    '2026-02-30',
    '2026-01-31T25:61:61Z',
    '９９',
    '👩‍👩‍👧‍👦',
    'a\u0301'.repeat(50),
    'x'.repeat(300),
    'x'.repeat(20_000),
    'journal',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

/** Any JSON value, most of all those that a careless reader stumbles over. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    -1,
    1.5,
    1e308,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER - 2,
    2 ** 31,
    2 ** 63,
    [],
    {},
    [[]],
    [null],
    { __proto__: null },
    { length: 1e9 },
    JSON.parse('{"toString":1,"valueOf":1,"toJSON":1,"then":1}'),
    { $ne: null },
    { constructor: { prototype: { x: 1 } } },
    JSON.parse('{"__proto__":{"role":"admin"}}'),
    Array(2_000).fill(0),
    Array(300).fill('x'),
    Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index])),
  ),
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Bodies that are no JSON, or JSON that goes deep. */
const rawBody = fc
  .constantFrom(
    '',
    '{',
    '}',
    'nul',
    '"',
    '{"a":1,}',
    "{'a':1}",
    '{"a":1}{"b":2}',
    '\u0000',
    '\uFEFF{}',
    '{"a":\u0001}',
    '1e99999',
    '-',
    nested('[', ']'),
    nested('{"a":', '}').replace('{"a":}', '{"a":1}'),
    `[${'0,'.repeat(5_000)}0]`,
  )
  .map((raw) => ({ raw }));

/** Returns values that the schema accepts by and large: patterns and refinements are not followed. */
export function arbitraryOf(schema: JsonSchema | boolean): fc.Arbitrary<unknown> {
  // `false` accepts nothing, as the schema of a field that must not be there.
  if (typeof schema === 'boolean') return hostileValue;
  const { anyOf, oneOf, allOf, type } = schema;
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const alternatives = anyOf ?? oneOf ?? allOf;
  if (alternatives) return fc.oneof(...alternatives.map(arbitraryOf));
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => arbitraryOf({ ...schema, type: one })));
  switch (type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}), { maxLength: Math.min(schema.maxItems ?? 4, 4) });
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return hostileText;
    default:
      return hostileValue;
  }
}

function numberOf({ minimum = -1_000, maximum = 1_000 }: JsonSchema): fc.Arbitrary<number> {
  const min = Math.ceil(minimum);
  return fc.integer({ min, max: Math.max(Math.floor(maximum), min) });
}

function objectOf({
  properties = {},
  required = [],
  additionalProperties,
}: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      // A call that is for no project ends before it begins.
      name === 'projectId' ? fc.constant('journal') : arbitraryOf(schema),
    ]),
  );
  const known = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
  if (typeof additionalProperties !== 'object') return known;
  const others = fc.dictionary(fc.string({ maxLength: 8 }), arbitraryOf(additionalProperties), {
    maxKeys: 3,
  });
  return fc.tuple(known, others).map(([some, more]) => ({ ...(some as object), ...more }));
}

/** Returns the values, most of them with one field that is hostile, missing or too many. */
export function mutated(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const changed = fc
    .tuple(values, fc.nat(), hostileValue, fc.constantFrom('replace', 'drop', 'add'))
    .map(([value, index, hostile, change]) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return hostile;
      const names = Object.keys(value);
      const name = names[index % Math.max(names.length, 1)];
      const copy: Record<string, unknown> = { ...value };
      if (change === 'add' || name === undefined) copy[`x${index}`] = hostile;
      else if (change === 'drop') delete copy[name];
      else copy[name] = hostile;
      return copy;
    });
  return fc.oneof(
    { weight: 3, arbitrary: values },
    { weight: 6, arbitrary: changed },
    { weight: 1, arbitrary: hostileValue },
    { weight: 1, arbitrary: rawBody },
  );
}

/** Writes a value as JSON; texts that are marked as raw are sent as they are. */
export function textOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'raw' in value) return String(value.raw);
  return JSON.stringify(value) ?? '';
}
