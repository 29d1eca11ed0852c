import { Option } from '@commander-js/extra-typings';
import { openBlobs, SWEEP_MIN_AGE_MS, type SweepResult, sweepStorage } from '../../services/storage/index.ts';
import { parseAge } from '../program/parse-values.ts';
import { isoTime, presentSize, presentTable, presentTime } from '../program/present.ts';
import type { Cli } from '../program/run-program.ts';

const headings = ['FILE', 'SIZE', 'UPLOADED', 'BY'] as const;

export function storageSweep({ command, run }: Cli): void {
  command('storage sweep', 'Removes files that nothing refers to, and bytes of no file.')
    .option('--dry-run', 'Only shows what it would remove.')
    .addOption(
      new Option('--older-than <age>', 'Keeps what is younger; a day at least.')
        .argParser(parseAge)
        .default(SWEEP_MIN_AGE_MS, '24h'),
    )
    .addHelpText(
      'after',
      `
Posts, other rows with URLs of files, and photos of accounts refer to files. Links on other sites do not count: use
--dry-run first.`,
    )
    .action(
      run(async (context, { dryRun = false, olderThan: olderThanMs }) => {
        const project = await context.project();
        const { blobs } = openBlobs(context.config);
        const swept = await sweepStorage({ project, blobs, olderThanMs, dryRun });
        const rows = swept.files.map(({ path, bytes, updatedAt, userId }) => [
          ...[path, presentSize(bytes), presentTime(updatedAt), userId],
        ]);
        const files = rows.length > 0 ? `${presentTable(headings, rows)}\n\n` : '';
        context.show({ dryRun, ...sweptJson(swept) }, files + presentSummary(swept, dryRun));
      }),
    );
}

function presentSummary({ files, blobs }: SweepResult, dryRun: boolean): string {
  if (files.length + blobs.length === 0) return 'There is nothing to remove.';
  const parts = [
    count(files, 'file that nothing names', 'files that nothing names'),
    count(blobs, 'blob of no file', 'blobs of no file'),
  ];
  return `${dryRun ? 'Would remove' : 'Removed'} ${parts.join(' and ')}.`;
}

function count(swept: readonly { bytes: number }[], one: string, many: string): string {
  return `${swept.length} ${swept.length === 1 ? one : many} (${presentSize(total(swept))})`;
}

function total(swept: readonly { bytes: number }[]): number {
  return swept.reduce((sum, { bytes }) => sum + bytes, 0);
}

function sweptJson({ files, blobs }: SweepResult) {
  return {
    files: files.map(({ updatedAt, ...file }) => ({ ...file, updatedAt: isoTime(updatedAt) })),
    blobs,
    bytes: total([...files, ...blobs]),
  };
}
