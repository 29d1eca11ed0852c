import { randomUUID } from 'node:crypto';

/** A key that no blob has: `<project>/<2>/<uuid>`. */
export function newBlobKey(projectId: string): string {
  return `${projectId}/${randomUUID().replace(/^(..)/, '$1/$1')}`;
}
