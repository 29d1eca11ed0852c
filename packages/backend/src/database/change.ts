import type { ChangeEvent } from '../core/bus.ts';

/** What committed, before the bus adds whose project it was. */
export type Change = Omit<ChangeEvent, 'projectId'>;
