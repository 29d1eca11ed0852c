// npm run audit: says where the packages come from, and which of those that serve have known faults. Ends with 1 when
// package-lock.json does not say which bytes a package has, a signature is wrong, or a fault is grave. Says so when no registry
// responds: then nothing is known.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultsOfLockedPackages } from './locked-packages.mjs';
import { root } from './runtime.mjs';

const checks = [checkLock(), checkSignatures(), checkFaults()];
process.exitCode = checks.every(Boolean) ? 0 : 1;

/** Checks that package-lock.json has the hash of each package. npm installs nothing else. */
function checkLock() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const faults = faultsOfLockedPackages(packages);
  const count = Object.keys(packages).filter((path) => path.includes('node_modules/')).length;
  console.log(
    faults.length === 0
      ? `package-lock.json has the SHA-512 of each of its packages (${count}).`
      : faults.join('\n'),
  );
  return faults.length === 0;
}

/** Has npm check that the registry has signed the packages, and the attestations of those that say how they were built. */
function checkSignatures() {
  const { invalid, missing } = ask(['audit', 'signatures', '--json']);
  if (!Array.isArray(invalid) || !Array.isArray(missing)) {
    console.log('The registry answers no signatures: whether it has signed the packages is not known.');
    return true;
  }
  console.log(`Signatures of packages: ${invalid.length} wrong, ${missing.length} missing.`);
  if (invalid.length + missing.length > 0) console.log('`npm audit signatures` names them.');
  return invalid.length + missing.length === 0;
}

function checkFaults() {
  const counts = ask(['audit', '--omit=dev', '--json']).metadata?.vulnerabilities;
  if (counts === undefined) {
    console.log('The registry answers no audit: whether packages have known faults is not known.');
    return true;
  }
  const { critical = 0, high = 0, moderate = 0, low = 0 } = counts;
  console.log(
    `Known faults of packages: ${critical} critical, ${high} high, ${moderate} moderate, ${low} low.`,
  );
  if (critical + high > 0) console.log('`npm audit --omit=dev` names them.');
  return critical + high === 0;
}

/** Returns what npm prints as JSON; an empty object when it prints none, or an error. */
function ask(args) {
  const { stdout } = spawnSync('npm', [...args, '--fetch-retries=0'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    timeout: 120_000,
  });
  try {
    return JSON.parse(stdout) ?? {};
  } catch {
    return {};
  }
}
