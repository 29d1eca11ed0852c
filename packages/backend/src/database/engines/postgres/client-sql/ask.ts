/** Asks something of the transaction under way. */
export type Ask = (text: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;
