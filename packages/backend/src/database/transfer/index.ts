export type { TableSum, Value } from './canonical-row.ts';
export type { DatabaseLocation, Staged } from './location.ts';
export { openLocation } from './open-location.ts';
export type { Snapshot, TableShape } from './snapshot.ts';
export { createSqliteLocation } from './sqlite-location.ts';
export { openSqliteSnapshot } from './sqlite-snapshot.ts';
export { type ReportProgress, sumsOf } from './transfer-rows.ts';
