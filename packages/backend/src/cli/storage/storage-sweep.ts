import { openBlobs, SWEEP_MIN_AGE_MS, type SweepResult, sweepStorage } from '../../services/storage/index.ts';
import { defineCommand } from '../framework/command.ts';
import { parseAge } from '../framework/parse-values.ts';
import { isoTime, presentSize, presentTable, presentTime } from '../framework/present.ts';

const headings = ['FILE', 'SIZE', 'UPLOADED', 'BY'] as const;

export const storageSweep = defineCommand({
  name: 'storage sweep',
  arguments: [],
  options: {
    'dry-run': { description: 'Only shows what it would remove.' },
    'older-than': { value: '<age>', description: 'Keeps what is younger (default and minimum: 24h).' },
  },
  summary: 'Removes files that nothing refers to, and bytes of no file.',
  details: `Posts, other rows with URLs of files, and photos of accounts refer to files. Links on other sites do not count: use
--dry-run first.`,
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
