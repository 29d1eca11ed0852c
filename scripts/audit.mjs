// npm run audit: asks the npm registry which packages that serve have known faults. Ends with 1 when there are grave ones, and
// says so when no registry answers: then nothing is known.
import { spawnSync } from 'node:child_process';
import { root } from './runtime.mjs';

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
  timeout: 60_000,
});
const counts = readCounts(stdout);
if (counts === undefined) {
  console.log('The registry answers no audit: whether packages have known faults is not known.');
} else {
  const { critical = 0, high = 0, moderate = 0, low = 0 } = counts;
  console.log(
    `Known faults of packages: ${critical} critical, ${high} high, ${moderate} moderate, ${low} low.`,
  );
  if (critical + high > 0) console.log('`npm audit --omit=dev` names them.');
  process.exitCode = critical + high > 0 ? 1 : 0;
}

/** Returns the number of faults by severity; undefined when there is no report. */
function readCounts(text) {
  try {
    return JSON.parse(text).metadata?.vulnerabilities;
  } catch {
    return undefined;
  }
}
