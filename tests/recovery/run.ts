// npm run test:recovery: goes back to a moment by the steps of docs/operations/backup.md, on a PostgreSQL of Debian that nobody else sees.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPgBackRest } from '../../scripts/find-programs.mjs';
import { fail } from '../../scripts/runtime.mjs';

/** Folders that get an empty one in their place, each with the accounts and modes that Debian's packages give them. */
const OWN_FOLDERS = [
  ['/etc/postgresql', '755'],
  ['/var/lib/postgresql', '755'],
  ['/var/lib/pgbackrest', '750'],
  ['/var/log/pgbackrest', '770'],
  ['/var/log/postgresql', '775'],
  ['/run/postgresql', '2775'],
] as const;

if (process.getuid?.() !== 0) fail('This has to be root, for a machine within the machine.');
const version = findPgBackRest();
const folder = mkdtempSync(join(tmpdir(), 'fabrica-recovery-'));
const config = join(folder, 'pgbackrest.conf');
writeFileSync(config, '');
// Under systemd, Debian's commands would start a service outside.
const entering = [
  'set -eu',
  '[ ! -d /run/systemd ] || mount -t tmpfs tmpfs /run/systemd',
  ...OWN_FOLDERS.flatMap(([path, mode]) => [
    `mkdir -p ${path}`,
    `mount -t tmpfs -o mode=${mode},uid=$(id -u postgres),gid=$(id -g postgres) tmpfs ${path}`,
  ]),
  `mount --bind "${config}" /etc/pgbackrest.conf`,
  'ip link set lo up',
  'exec "$0" "$@"',
].join('\n');
const follow = [process.execPath, fileURLToPath(new URL('follow-page.ts', import.meta.url)), version, folder];
const { status } = spawnSync(
  'unshare',
  [
    ...['--mount', '--propagation', 'private', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
    ...['sh', '-c', entering, ...follow],
  ],
  { stdio: 'inherit' },
);
rmSync(folder, { recursive: true, force: true });
process.exit(status ?? 1);
