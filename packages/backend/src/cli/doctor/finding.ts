import { withinTime } from '../../runtime/within-time.ts';

/** Holds what the doctor says of a part. A `warning` lets Fabrica serve, and deserves a look; with `failed`, something does not work. */
export interface Finding {
  name: string;
  state: 'ok' | 'warning' | 'failed' | 'not used';
  /** A sentence for the operator. */
  text: string;
}

/** Milliseconds that a part may take, unless it is said otherwise. */
const LONGEST_MS = 15_000;

/** Looks at a part. What it throws, and that it takes longer than `longestMs`, becomes a finding that something does not work. */
export async function look(
  name: string,
  check: () => Promise<Finding[]>,
  longestMs = LONGEST_MS,
): Promise<Finding[]> {
  try {
    return await withinTime(longestMs, check(), `There was no response within ${longestMs / 1_000} s.`);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return [{ name, state: 'failed', text: text || 'It cannot be reached.' }];
  }
}
