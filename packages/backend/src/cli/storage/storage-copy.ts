import { join } from 'node:path';
import type { Config } from '../../config.ts';
import {
  type CopyResult,
  copyBlobs,
  createDiskBlobStore,
  createS3BlobStore,
  openBlobs,
} from '../../services/storage/index.ts';
import { defineCommand } from '../framework/command.ts';
import { CommandError, usageError } from '../framework/command-error.ts';
import { presentDamaged, presentSize } from '../framework/present.ts';

const PROGRESS_EVERY = 500;

const NEXT_STEP = {
  s3: 'Restart Fabrica with these S3 settings, then copy once more what was uploaded in between.',
  disk: 'Restart Fabrica without S3 settings, then copy once more what was uploaded in between.',
} as const;

export const storageCopy = defineCommand({
  name: 'storage copy',
  arguments: [],
  options: {
    to: { value: '<s3|disk>', description: 'Where the files go; they come from the other one.' },
  },
  summary: 'Copies all files from the disk to an S3-compatible store, or back.',
  details: `The S3 settings name the store, DATA_DIR the folder. Files that are there already are skipped, so an interrupted copy can
be run again. At the end every original is read again and its SHA-256 compared. Nothing is removed.`,
  async run({ options: { to }, config, terminal, json, ...context }) {
    const target = requireTarget(to);
    const stores = openStores(config);
    const copied = await copyBlobs({
      project: await context.project(),
      from: target === 's3' ? stores.disk : stores.s3,
      to: stores[target],
      temporaryFiles: openBlobs({ dataDir: config.dataDir, storage: { s3: undefined } }).temporaryFiles,
      onProgress(done) {
        if (terminal.interactive && done % PROGRESS_EVERY === 0) terminal.note(`${done} blobs …`);
      },
    });
    terminal.print(json ? JSON.stringify(copied, null, 2) : presentCopied(copied));
    if (copied.damaged.length > 0) throw new CommandError(presentDamaged(copied.damaged));
    if (!json) terminal.print(NEXT_STEP[target]);
  },
});

function requireTarget(to: string | undefined): 's3' | 'disk' {
  if (to === 's3' || to === 'disk') return to;
  throw usageError('Say where the files are to be: --to s3, or --to disk.');
}

function openStores({ dataDir, storage: { s3 } }: Config) {
  if (!s3)
    throw new CommandError(
      'Name the S3-compatible store in the S3 settings, S3_BUCKET being the first of them.',
    );
  return { disk: createDiskBlobStore(join(dataDir, 'files')), s3: createS3BlobStore(s3) };
}

function presentCopied({ copied, bytes, present, compared }: CopyResult): string {
  return `${copied} blobs copied (${presentSize(bytes)}), ${present} there already; ${compared} originals compared.`;
}
