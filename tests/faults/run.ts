import { parseArgs } from 'node:util';
import { findHaproxy } from '../../scripts/find-programs.mjs';
import { type Cluster, startCluster } from './cluster.ts';
import { type Fault, faults } from './faults.ts';
import type { Counts } from './ledger.ts';
import { Load, type Outcome } from './load.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    times: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '10' },
  },
});
const times = Number(options.times);
const seconds = Number(options.seconds);
const chosen = faults.filter(({ name }) => name.includes(options.only));

const HEADINGS = [
  'fault',
  'writes',
  'gap',
  'reads',
  'gap',
  'pages',
  'gap',
  'files',
  'lost',
  'messages',
  'settled',
];
print(`| ${HEADINGS.join(' | ')} |\n|${HEADINGS.map(() => '---|').join('')}`);
const totals = { runs: 0, writes: 0, lost: 0, lostMessages: 0, noticed: 0 };
let cluster: Cluster | undefined;
try {
  for (let run = 0; run < times; run += 1) {
    for (const fault of chosen) await makeFault(fault);
  }
} finally {
  await cluster?.close();
}
print(
  `${totals.runs} runs: ${totals.writes} writes acknowledged, ${totals.lost} lost, ${totals.lostMessages} messages lost; ${totals.noticed} faults were noticed that should not be.`,
);
process.exit(totals.lost + totals.lostMessages + totals.noticed > 0 ? 1 : 0);

async function makeFault(fault: Fault): Promise<void> {
  cluster ??= await startCluster({ nodes: 3, haproxy: findHaproxy(), whole: true });
  const { url } = cluster;
  if (fault.isLast) await waitForStandby(cluster);
  const load = await Load.start({ urlOf: () => url, withFiles: true });
  await load.writesOnAgain();
  await fault.happen(cluster, seconds);
  await load.writesOnAgain();
  const outcome = await load.stop();
  count(fault, outcome);
  print(`| ${[fault.name, ...describe(outcome)].join(' | ')} |`);
  if (!fault.isLast) return;
  await cluster.close();
  cluster = undefined;
}

/** Has the primary wait for its standby, without which a crash loses the last commits. */
async function waitForStandby({ primary, standby }: Cluster): Promise<void> {
  if (!standby) return;
  const { Client } = await import('pg');
  const client = new Client(primary.url);
  await client.connect();
  await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

function count({ unnoticed }: Fault, outcome: Outcome): void {
  totals.runs += 1;
  totals.writes += outcome.writes.ok;
  totals.lost += outcome.lostWrites + outcome.lostFiles;
  totals.lostMessages += outcome.lostMessages;
  const failed = [outcome.writes, outcome.reads, outcome.pages].some(
    ({ failed }) => Object.keys(failed).length > 0,
  );
  if (unnoticed && failed) totals.noticed += 1;
}

function describe({ writes, reads, pages, files, ...rest }: Outcome): string[] {
  return [
    ...[writes, reads, pages].flatMap((counts) => [presentCounts(counts), `${counts.longestGap} ms`]),
    presentCounts(files),
    `${rest.lostWrites + rest.lostFiles}`,
    `${rest.lostMessages} lost, ${rest.doubledMessages} twice`,
    `${rest.settledAfter} ms`,
  ];
}

function presentCounts({ ok, failed }: Counts): string {
  const faults = Object.entries(failed).map(
    ([status, times]) => `${times} × ${status === '0' ? 'cut' : status}`,
  );
  return [`${ok}`, ...faults].join(', ');
}
