export type { BlobStore, ByteRange, IncomingBlob } from './blob-store.ts';
export { createDiskBlobStore } from './disk.ts';
export { type FollowDeletionsOptions, followDeletions } from './follow-deletions.ts';
export { storageMigrations } from './migrations.ts';
export { publicPathname } from './public-address.ts';
export { listFilesOf, releaseFilesOf } from './queries.ts';
export { createStorage, type Storage, type StorageOptions } from './routes.ts';
