/** Holds what the doctor says of a part. A `warning` lets Fabrica serve, and deserves a look; with `failed`, something does not work. */
export interface Finding {
  name: string;
  state: 'ok' | 'warning' | 'failed' | 'not used';
  /** A sentence for the operator. */
  text: string;
}

/** Looks at a part. What it throws becomes a finding that something does not work. */
export async function look(name: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return [{ name, state: 'failed', text: text || 'It cannot be reached.' }];
  }
}
