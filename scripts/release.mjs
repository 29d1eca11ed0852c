// npm run release: writes what a release is made of into release/: an archive of the package, the image of this processor, a list of
// what is inside (SBOM, CycloneDX) and the checksums of all. It runs on Debian, and needs no container engine. Two runs over the same commit write the
// same bytes: nothing in them says when or where they were made but the time of the commit.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fail, node, root } from './runtime.mjs';

const at = process.argv.indexOf('--to');
const target = resolve(
  at < 0 ? join(root, 'release') : (process.argv[at + 1] ?? fail('--to names a folder.')),
);
if (process.platform !== 'linux' || process.getuid?.() !== 0)
  fail('A release is made by root on Debian: the files of the image belong to its own accounts.');

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch] ?? process.arch;
/** Seconds. */
const time = run('git', ['log', '-1', '--format=%ct']).trim();
const scratch = mkdtempSync(join(tmpdir(), 'fabrica-release-'));
const name = `fabrica-${version}`;
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

const folder = join(scratch, name);
// It installs the Node of the image, too.
run(process.execPath, ['scripts/package.mjs', '--to', folder]);
copyFileSync(join(folder, 'sbom.cdx.json'), join(target, `${name}.cdx.json`));
writeFileSync(join(target, `${name}.tar.gz`), gzipSync(archive(scratch, name), { level: 9 }));
writeImage(join(target, `${name}-image-${architecture}.tar`));
writeChecksums();
rmSync(scratch, { recursive: true });
console.log(`A release of ${version} is in ${target}.`);

/** Returns a tar of a folder's entry that does not depend on who made it, nor when. */
function archive(from, entry) {
  const file = join(scratch, 'archive.tar');
  const same = ['--sort=name', `--mtime=@${time}`, '--format=gnu', '--numeric-owner'];
  const owner = entry === '.' ? [] : ['--owner=0', '--group=0'];
  run('tar', [...same, ...owner, '-cf', file, '-C', from, entry]);
  const content = readFileSync(file);
  rmSync(file);
  return content;
}

/** Writes the image of `deploy/Containerfile` as an OCI layout, which `docker load`, `podman load` and registries' tools read. */
function writeImage(file) {
  const files = join(scratch, 'image');
  run(node(), ['scripts/assemble-image.mjs', folder, files]);
  for (const path of ['data', 'backups']) {
    chownSync(join(files, path), 1_000, 1_000);
    chmodSync(join(files, path), 0o700);
  }
  const layout = join(scratch, 'layout');
  mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
  const layer = archive(files, '.');
  const add = (content, mediaType) => {
    const digest = hashOf(content);
    writeFileSync(join(layout, 'blobs/sha256', digest), content);
    return { mediaType, digest: `sha256:${digest}`, size: content.byteLength };
  };
  const json = (value) => Buffer.from(JSON.stringify(value));
  const { config, exposed } = readStage();
  const image = add(
    json({
      created: new Date(time * 1_000).toISOString(),
      architecture,
      os: 'linux',
      config: { ...config, ExposedPorts: exposed },
      rootfs: { type: 'layers', diff_ids: [`sha256:${hashOf(layer)}`] },
    }),
    'application/vnd.oci.image.config.v1+json',
  );
  const layers = [add(gzipSync(layer, { level: 9 }), 'application/vnd.oci.image.layer.v1.tar+gzip')];
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = add(json({ schemaVersion: 2, mediaType, config: image, layers }), mediaType);
  const annotations = { 'org.opencontainers.image.ref.name': version };
  const index = { schemaVersion: 2, manifests: [{ ...manifest, annotations }] };
  writeFileSync(join(layout, 'index.json'), json(index));
  writeFileSync(join(layout, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }));
  writeFileSync(file, archive(layout, '.'));
}

/** Reads how the image is run from the last stage of the Containerfile, so that it is said once. */
function readStage() {
  const text = readFileSync(join(root, 'deploy/Containerfile'), 'utf8').replaceAll(/\\\n\s*/g, '');
  const lines = text.slice(text.lastIndexOf('FROM')).split('\n');
  const all = (instruction) =>
    lines.flatMap((line) => (line.startsWith(`${instruction} `) ? [line.slice(instruction.length + 1)] : []));
  const [check = ''] = all('HEALTHCHECK');
  const seconds = (option) => Number(new RegExp(`--${option}=(\\d+)s`).exec(check)?.[1]) * 1_000_000_000;
  return {
    config: {
      User: all('USER')[0],
      Env: all('ENV').flatMap((line) => line.split(' ')),
      WorkingDir: all('WORKDIR')[0],
      Cmd: JSON.parse(all('CMD')[0]),
      Volumes: Object.fromEntries(all('VOLUME').map((path) => [path, {}])),
      StopSignal: all('STOPSIGNAL')[0],
      Healthcheck: {
        Test: ['CMD', ...JSON.parse(check.slice(check.indexOf('CMD ') + 4))],
        Interval: seconds('interval'),
        Timeout: seconds('timeout'),
        StartPeriod: seconds('start-period'),
      },
    },
    exposed: Object.fromEntries(all('EXPOSE').map((port) => [`${port}/tcp`, {}])),
  };
}

function writeChecksums() {
  const files = run('ls', [target]).trim().split('\n');
  for (const file of files)
    console.log(`${(statSync(join(target, file)).size / 1e6).toFixed(1)} MB  ${file}`);
  const lines = files.map((file) => `${hashOf(readFileSync(join(target, file)))}  ${file}\n`);
  writeFileSync(join(target, 'SHA256SUMS'), lines.join(''));
}

/** Runs a program to its end, and returns what it prints. Ends with a sentence where it fails. */
function run(program, args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
    encoding: 'utf8',
  });
  if (status !== 0) fail(`${error?.message ?? stderr}\n${program} ${args[0]} failed.`);
  return stdout;
}

function hashOf(content) {
  return createHash('sha256').update(content).digest('hex');
}
