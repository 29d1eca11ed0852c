// npm run deploy:check: has the programs that read the files in deploy/ judge them, and runs the doctor in the assembled image. It
// says which programs are missing, and ends with 1 when a file is refused or the doctor finds a fault. On Debian: apt-get install prometheus haproxy nginx-light caddy systemd.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testQuietDay } from './record-metrics.mjs';
import { root } from './runtime.mjs';

const deploy = (path) => join(root, 'deploy', path);
const scratch = mkdtempSync(join(tmpdir(), 'fabrica-deploy-'));
const compose = {
  SITE: 'localhost',
  PUBLIC_URL: 'http://localhost',
  DATABASE_PASSWORD: 'x',
  STORE_PASSWORD: 'x',
  MASTER_KEY: 'x',
};

/** A file of ours is a part of nginx's own. */
const nginx = join(scratch, 'nginx.conf');
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
writeFileSync(
  nginx,
  `pid ${scratch}/pid; error_log ${scratch}/error; events {}
http { access_log off; ${TEMPORARY.map((of) => `${of}_temp_path ${scratch}/${of};`).join(' ')} include ${deploy('proxies/nginx.conf')}; }\n`,
);

/** JSON is YAML. */
const quietDay = join(scratch, 'a-day-without-faults.yaml');
writeFileSync(quietDay, testQuietDay());

/** HAProxy and promtool look hosts and files up: the names of nodes are those of a cluster, not of this machine. */
const checks = [
  ['promtool', 'check', 'config', deploy('prometheus/prometheus.yaml')],
  ['promtool', 'test', 'rules', deploy('prometheus/alerts.test.yaml')],
  ['promtool', 'test', 'rules', quietDay],
  ['haproxy', '-c', '-q', '-f', deploy('proxies/haproxy.cfg')],
  ['nginx', '-t', '-q', '-c', nginx],
  ['caddy', 'validate', '--adapter', 'caddyfile', '--config', deploy('proxies/Caddyfile')],
  ['systemd-analyze', 'verify', deploy('systemd/fabrica.service')],
  ['docker', 'compose', '-f', deploy('compose.yaml'), 'config', '-q'],
  ['docker', 'compose', '-f', deploy('compose.cluster.yaml'), 'config', '-q'],
  ['hadolint', deploy('Containerfile')],
  ['kubeconform', '-strict', deploy('kubernetes/fabrica.yaml')],
];
/** Runs the doctor in the folder `$0` as in a container. */
const IN_IMAGE = `set -e
mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"
for folder in tmp data; do mount -t tmpfs tmpfs "$0/$folder"; done
for folder in proc dev; do mount --rbind "/$folder" "$0/$folder"; done
exec env -i DATA_DIR=/data PATH=/usr/local/bin /usr/sbin/chroot "$0" /usr/local/bin/fabrica doctor`;

const missing = new Set();
for (const [program, ...args] of checks) {
  const env = { ...process.env, ...compose, HOME: scratch, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env });
  if (error?.code === 'ENOENT' || /is not a docker command|unknown shorthand flag/.test(stderr))
    missing.add(program);
  else if (status === 0) console.log(`${program} accepts ${args.at(-1) === '-q' ? args[2] : args.at(-1)}`);
  else {
    console.error(`${program} refuses ${args.join(' ')}:\n${stdout}${stderr}`);
    process.exitCode = 1;
  }
}
examineImage();
rmSync(scratch, { recursive: true });
if (missing.size > 0)
  console.log(`Not checked, since these programs are not installed: ${[...missing].join(', ')}.`);

/**
 * Assembles the image as the Containerfile does, and runs `fabrica doctor` in it: on a root that cannot be written to, with another
 * file system on /tmp, as compose and Kubernetes give it.
 */
function examineImage() {
  const image = join(scratch, 'image');
  const steps = [
    [process.execPath, join(root, 'scripts/package.mjs'), '--to', join(scratch, 'package')],
    [process.execPath, join(root, 'scripts/assemble-image.mjs'), join(scratch, 'package'), image],
    ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', IN_IMAGE, image],
  ];
  for (const [program, ...args] of steps) {
    const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    if (error?.code === 'ENOENT' || /unshare failed/.test(stderr)) return missing.add(program);
    if (status === 0) continue;
    console.error(`The image cannot be run (${program}):\n${stdout}${stderr}`);
    process.exitCode = 1;
    return undefined;
  }
  console.log('The doctor finds no fault in the assembled image');
}
