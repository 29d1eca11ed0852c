import { join } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import type { Config } from '../../config.ts';
import { withinTime } from '../../runtime/within-time.ts';
import {
  type CopyResult,
  copyBlobs,
  createDiskBlobStore,
  createS3BlobStore,
  openBlobs,
} from '../../services/storage/index.ts';
import { CommandError } from '../program/command-error.ts';
import { presentDamaged, presentSize } from '../program/present.ts';
import type { Cli } from '../program/run-program.ts';

const PROGRESS_EVERY = 500;
/** Milliseconds in which the store has to respond: a name in the settings may be a slip. */
const CHECK_MS = 5_000;

const NEXT_STEP = {
  s3: 'Restart Fabrica with these S3 settings, then copy once more what was uploaded in between.',
  disk: 'Restart Fabrica without S3 settings, then copy once more what was uploaded in between.',
} as const;

export function storageCopy({ command, run }: Cli): void {
  command('storage copy', 'Copies all files from the disk to an S3-compatible store, or back.')
    .addOption(
      new Option('--to <store>', 'Where the files go; they come from the other one.')
        .choices(['s3', 'disk'])
        .makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      `
The S3 settings name the store, DATA_DIR the folder. Files that are there already are skipped, so an interrupted copy can
be run again. At the end every original is read again and its SHA-256 compared. Nothing is removed.`,
    )
    .action(
      run(async ({ config, terminal, json, show, project }, { to }) => {
        const stores = openStores(config);
        await withinTime(CHECK_MS, stores.s3.check(), 'The store does not respond.');
        const copied = await copyBlobs({
          project: await project(),
          from: to === 's3' ? stores.disk : stores.s3,
          to: stores[to],
          temporaryFiles: openBlobs({ dataDir: config.dataDir, storage: { s3: undefined } }).temporaryFiles,
          onProgress(done) {
            if (terminal.interactive && done % PROGRESS_EVERY === 0) terminal.note(`${done} blobs …`);
          },
        });
        show(copied, presentCopied(copied));
        if (copied.damaged.length > 0) throw new CommandError(presentDamaged(copied.damaged));
        if (!json) terminal.print(NEXT_STEP[to]);
      }),
    );
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
