import { openBlobs, SWEEP_MIN_AGE_MS, type SweepResult, sweepStorage } from '../../services/storage/index.ts';
import { defineCommand } from '../framework/command.ts';
import { parseAge } from '../framework/parse-age.ts';
import { presentSize } from '../framework/present-size.ts';
import { presentTable } from '../framework/present-table.ts';
import { isoTime, presentTime } from '../framework/present-time.ts';

const headings = ['FILE', 'SIZE', 'UPLOADED', 'BY'] as const;

export const storageSweep = defineCommand({
  name: 'storage sweep',
  arguments: [],
  options: {
    'dry-run': { description: 'Only says what it would remove.' },
    'older-than': { value: '<age>', description: 'Leaves alone what is younger (24h, which is the least).' },
  },
  summary: 'Removes files that nothing names, and bytes that belong to no file.',
  details: `A file is named by a post, by any other row that holds addresses of files, or as the photo of an account.
One that is linked to from elsewhere only is not named: look with --dry-run first.`,
  async run({ options, config, terminal, json, ...context }) {
    const dryRun = options['dry-run'] ?? false;
    const olderThanMs = parseAge(options['older-than'], SWEEP_MIN_AGE_MS);
    const project = await context.project();
    const { blobs } = openBlobs(config);
    const swept = await sweepStorage({ project, blobs, olderThanMs, dryRun });
    if (json) return terminal.print(JSON.stringify({ dryRun, ...sweptJson(swept) }, null, 2));
    if (swept.files.length > 0) {
      const rows = swept.files.map(({ path, bytes, updatedAt, userId }) => [
        path,
        presentSize(bytes),
        presentTime(updatedAt),
        userId,
      ]);
      terminal.print(`${presentTable(headings, rows)}\n`);
    }
    terminal.print(presentSummary(swept, dryRun));
  },
});

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
