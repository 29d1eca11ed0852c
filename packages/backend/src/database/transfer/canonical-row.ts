import { createHash } from 'node:crypto';

/** A value of either engine: an integer is a bigint, and a number is a floating-point value. */
export type Value = null | bigint | number | string | Uint8Array;

/** The checksum of a table, which is the same on both engines only for the same rows. */
export interface TableSum {
  table: string;
  rows: number;
  /** The hash of the rows, hexadecimal. */
  sha256: string;
}

export interface RunningSum {
  add(rows: readonly (readonly Value[])[]): void;
  end(): TableSum;
}

/** Starts a checksum of rows, which must come in the order of their key, with their values in the order of `columns`. */
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

/** Writes a row as a line of JSON. */
function canonicalRow(values: readonly Value[]): string {
  let line = '[';
  for (const [index, value] of values.entries())
    line += index === 0 ? canonical(value) : `,${canonical(value)}`;
  return `${line}]\n`;
}

function canonical(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return JSON.stringify(value);
  // A floating-point value may have no fraction, and differs from an integer all the same.
  if (typeof value === 'number') return `{"real":"${value}"}`;
  return `{"blob":"${Buffer.from(value).toString('base64')}"}`;
}
