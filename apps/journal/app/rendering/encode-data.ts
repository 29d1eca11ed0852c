/**
 * Encodes the data of a page as the router does, which reads it in the browser (`vendor/turbo-stream-v2` of react-router), but at
 * once and without a stream. Each value is written once, in a list, and named by its index there. Throws a TypeError for what is not
 * JSON, `undefined` or a number.
 */
export function encodeData(data: unknown): string {
  const indexes = new Map<unknown, number>([[data, 0]]);
  const encoded: string[] = [];
  const waiting: [value: unknown, index: number][] = [[data, 0]];

  function indexOf(value: unknown): number {
    const known = indexes.get(value) ?? constantOf(value);
    if (known !== undefined) return known;
    const index = indexes.size;
    indexes.set(value, index);
    waiting.push([value, index]);
    return index;
  }

  function encode(value: unknown): string {
    if (typeof value !== 'object' || value === null) return encodeScalar(value);
    if (Array.isArray(value)) return `[${value.map(indexOf).join(',')}]`;
    if (Object.getPrototypeOf(value) !== Object.prototype) throw notEncoded(value);
    const fields = Object.entries(value).map(([name, field]) => `"_${indexOf(name)}":${indexOf(field)}`);
    return `{${fields.join(',')}}`;
  }

  for (let next = waiting.pop(); next; next = waiting.pop()) encoded[next[1]] = encode(next[0]);
  return `[${encoded.join(',')}]\n`;
}

/** Returns the number that stands for a value which is not in the list. */
function constantOf(value: unknown): number | undefined {
  if (value === undefined) return -7;
  if (value === null) return -5;
  if (Number.isNaN(value)) return -2;
  if (value === Number.POSITIVE_INFINITY) return -6;
  if (value === Number.NEGATIVE_INFINITY) return -3;
  return Object.is(value, -0) ? -4 : undefined;
}

function encodeScalar(value: unknown): string {
  if (!['string', 'number', 'boolean'].includes(typeof value)) throw notEncoded(value);
  return JSON.stringify(value);
}

function notEncoded(value: unknown): TypeError {
  return new TypeError(
    `A page's data holds ${Object.prototype.toString.call(value)}, which is left to the router.`,
  );
}
