import { createHash } from 'node:crypto';

/** A value as every engine can hold it: an integer is a bigint, a number is one with a fraction. */
export type Value = null | bigint | number | string | Uint8Array;

/** Of a table's rows: how many they are, and a hash that two engines have alike only for the same rows. */
export interface TableSum {
  table: string;
  rows: number;
  /** Of its rows, hexadecimal. */
  sha256: string;
}

export interface RunningSum {
  add(rows: readonly (readonly Value[])[]): void;
  end(): TableSum;
}

/** Sums rows up that come in the order of their key, with their values in the order of `columns`. */
export function createSum(table: string, columns: readonly string[]): RunningSum {
  const hash = createHash('sha256').update(`${JSON.stringify(columns)}\n`);
  let count = 0;
  return {
    add(rows) {
      let lines = '';
      for (const row of rows) lines += canonicalRow(row);
      hash.update(lines);
      count += rows.length;
    },
    end: () => ({ table, rows: count, sha256: hash.digest('hex') }),
  };
}

/** A line of JSON. */
function canonicalRow(values: readonly Value[]): string {
  let line = '[';
  for (const [at, value] of values.entries()) line += at === 0 ? canonical(value) : `,${canonical(value)}`;
  return `${line}]\n`;
}

function canonical(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return JSON.stringify(value);
  // A number without a fraction may still be one of a column of fractions, which is no integer.
  if (typeof value === 'number') return `{"real":"${value}"}`;
  return `{"blob":"${Buffer.from(value).toString('base64')}"}`;
}
