export type { TableSum, Value } from './canonical-row.ts';
export type { Place, Staged } from './location.ts';
export { openPlace } from './open-location.ts';
export { createPostgresPlace } from './postgres-location.ts';
export type { Snapshot, TableShape } from './snapshot.ts';
export { createSqlitePlace } from './sqlite-location.ts';
export { openSqliteSnapshot } from './sqlite-snapshot.ts';
export { sumsOf, type TransferOptions } from './transfer-rows.ts';
