export type { TableSum, Value } from './canonical-row.ts';
export { openPlace } from './open-place.ts';
export type { Place, Staged } from './place.ts';
export { createPostgresPlace } from './postgres-place.ts';
export type { Snapshot, TableShape } from './snapshot.ts';
export { createSqlitePlace } from './sqlite-place.ts';
export { openSqliteSnapshot } from './sqlite-snapshot.ts';
export { sumsOf, type TransferOptions } from './transfer-rows.ts';
