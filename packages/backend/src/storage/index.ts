export type { BlobStore, ByteRange, IncomingBlob } from './blob-store.ts';
export { createDiskBlobStore } from './disk.ts';
export { storageMigrations } from './migrations.ts';
export { createStorage, type Storage, type StorageOptions } from './routes.ts';
