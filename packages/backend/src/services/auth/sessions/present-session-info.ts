import type { SessionInfo, SignInMethod } from '@fabrica/contract';
import type { SessionRow } from '../queries.ts';

export function presentSessionInfo(row: SessionRow, currentId: string): SessionInfo {
  return {
    id: row.id,
    current: row.id === currentId,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: new Date(row.last_used_at).toISOString(),
    device: row.device,
    method: row.method as SignInMethod,
  };
}
