import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { buildVersion, versionBefore } from '@fabrica/test-peers/older-version.ts';
import { Client } from 'pg';
import { findHaproxy } from '../../scripts/find-programs.mjs';
import { type Cluster, type Site, startCluster, startOnSqlite } from './cluster.ts';
import { type Fault, faults, faultsOnSqlite } from './faults.ts';
import { killOften } from './kills.ts';
import type { Counts } from './ledger.ts';
import { Load, type Outcome } from './load.ts';
import { isNoticed, Tally } from './tally.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);
const { values: options } = parseArgs({
  options: {
    /** A part of the names of the faults to make. */
    only: { type: 'string', default: '' },
    /** Tells how often each is made. */
    times: { type: 'string', default: '1' },
    /** Tells how long each lasts. */
    seconds: { type: 'string', default: '10' },
    /** The commit of the older version of upgrades, which is built first; that before this one unless it is named. */
    older: { type: 'string' },
    /** Kills a server on SQLite until it was killed so often in all runs, in place of the faults. */
    kills: { type: 'string' },
  },
});
if (options.kills !== undefined) process.exit((await killOften(Number(options.kills), print)) ? 0 : 1);
const times = Number(options.times);
const seconds = Number(options.seconds);
const isChosen = ({ name }: Fault<Site>) => name.includes(options.only);
const chosen = faults.filter(isChosen);
const chosenOnSqlite = faultsOnSqlite.filter(isChosen);

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
  'back',
];
print(`| ${HEADINGS.join(' | ')} |\n|${HEADINGS.map(() => '---|').join('')}`);
const tally = new Tally();
let cluster: Cluster | undefined;
/** What is special about that cluster. */
let clusterOn: Fault['on'];
let older: string | undefined;
try {
  for (let round = 1; round <= times; round += 1) {
    for (const fault of chosen) await tryFault(fault, () => makeFault(fault));
    for (const fault of chosenOnSqlite) await tryFault(fault, () => makeFaultOnSqlite(fault));
    print(`\nAfter round ${round} of ${times}:\n\n${tally.present()}\n`);
  }
} finally {
  await cluster?.close();
  if (older !== undefined) await rm(older, { recursive: true, force: true });
}
process.exit(tally.isClean ? 0 : 1);

/** Makes a fault. When it cannot be carried out, the next one gets a new cluster. */
async function tryFault(fault: Fault<Site>, make: () => Promise<void>): Promise<void> {
  try {
    await make();
  } catch (error) {
    tally.addBroken(fault);
    print(`| ${fault.name} | broken |`);
    process.stderr.write(`${(error as Error).stack}\n`);
    await closeCluster();
  }
}

async function makeFault(fault: Fault): Promise<void> {
  if (clusterOn !== fault.on) await closeCluster();
  clusterOn = fault.on;
  cluster ??= await startCluster({
    nodes: 3,
    haproxy: findHaproxy(),
    whole: true,
    older: await olderFor(fault),
    redis: fault.on === 'older' ? undefined : fault.on,
  });
  const url = fault.isPlain ? cluster.plainUrl : cluster.url;
  if (fault.isLast) await waitForStandby(cluster);
  await underLoad(fault, cluster, url);
  if (fault.isLast) await closeCluster();
}

async function makeFaultOnSqlite(fault: Fault<Site>): Promise<void> {
  const site = await startOnSqlite({ older: await olderFor(fault) });
  try {
    await underLoad(fault, site, site.url);
  } finally {
    await site.close();
  }
}

/** Returns the folder of the older version, built, where a fault begins with it. */
async function olderFor({ on }: Fault<Site>): Promise<string | undefined> {
  if (on !== 'older') return undefined;
  if (older === undefined) {
    const commit = options.older ?? (await versionBefore());
    process.stderr.write(`The older version is ${commit}: building it …\n`);
    older = await buildVersion(commit);
  }
  return older;
}

/** Makes a fault while clients use the address, and adds what they have seen to the tally. */
async function underLoad<Of extends Site>(fault: Fault<Of>, site: Of, url: string): Promise<void> {
  const load = await Load.start({ urlOf: () => url, withFiles: true });
  await load.writesOnAgain();
  await fault.happen(site, seconds, load);
  const mended = Date.now();
  await load.writesOnAgain();
  const outcome = { ...(await load.stop()), backAfter: load.backAfter(mended) };
  tally.add(fault, outcome);
  print(`| ${[fault.name, ...describe(outcome)].join(' | ')} |`);
  if (isNoticed(fault, outcome)) print(`| | should not be noticed: ${load.failures().join('; ')} |`);
}

async function closeCluster(): Promise<void> {
  const closing = cluster?.close();
  cluster = undefined;
  await closing;
}

/** Has the primary wait for its standby, without which a crash loses the last commits. */
async function waitForStandby({ primary, standby }: Cluster): Promise<void> {
  if (!standby) return;
  const client = new Client(primary.url);
  await client.connect();
  await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

function describe({ writes, reads, pages, files, ...rest }: Outcome & { backAfter: number }): string[] {
  return [
    ...[writes, reads, pages].flatMap((counts) => [presentCounts(counts), `${counts.longestGap} ms`]),
    presentCounts(files),
    `${rest.lostWrites + rest.lostFiles}`,
    `${rest.lostMessages} lost, ${rest.doubledMessages} twice`,
    `${rest.settledAfter} ms`,
    `${rest.backAfter} ms`,
  ];
}

function presentCounts({ ok, failed }: Counts): string {
  const failures = Object.entries(failed).map(
    ([status, count]) => `${count} × ${status === '0' ? 'cut' : status}`,
  );
  return [`${ok}`, ...failures].join(', ');
}
