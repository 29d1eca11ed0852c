import type { Data, DataOptions } from './create-data.ts';

export type { Data, DataOptions } from './create-data.ts';
/** Its modules are loaded with it. */
export async function openData(options: DataOptions): Promise<Data> {
  const { createData } = await import('./create-data.ts');
  return createData(options);
}
export { dataMigrations } from './migrations.ts';
export { placeOf } from './secrets/fill-in.ts';
export { deleteSecret, keepSecret, listSecrets, SECRET_NAME } from './secrets/secrets.ts';
