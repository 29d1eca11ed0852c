// npm run check: the type check, lint, and the tests of what has changed since the last commit, or with it if nothing has since.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { install } from './install.mjs';
import { node, root } from './runtime.mjs';

const TEST = /\.test\.tsx?$/;

await install('everything');
const tests = testsOf(changedFiles());
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project=sqlite', '--passWithNoTests'];
const steps = [
  ['npm run typecheck', 'npm', ['run', '--silent', 'typecheck']],
  ['npm run lint', 'npm', ['run', '--silent', 'lint']],
  ...(tests.length > 0 ? [[`${tests.length} files of tests`, node(), [...vitest, ...tests]]] : []),
];
// The steps share the cores: each of them waits for the disk now and then.
const outcomes = await Promise.all(steps.map(run));
process.exit(outcomes.every(Boolean) ? 0 : 1);

function changedFiles() {
  const git = (...args) =>
    spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
  const sinceCommit = [
    ...git('diff', '--name-only', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  return sinceCommit.length > 0 ? sinceCommit : git('diff', '--name-only', 'HEAD~1');
}

/** Returns the tests that have changed, and those that stand beside a source that has. Tests in browsers need a build: npm test -- PATH. */
function testsOf(changed) {
  const beside = changed
    .filter((path) => /^(apps|packages)\//.test(path) && existsSync(join(root, dirname(path))))
    .flatMap((path) => readdirSync(join(root, dirname(path))).map((name) => `${dirname(path)}/${name}`));
  const all = [...changed, ...beside].filter((path) => TEST.test(path) && existsSync(join(root, path)));
  return [...new Set(all)];
}

/** Runs a step, prints what it says once it has ended, and returns whether it succeeded. */
async function run([name, program, args]) {
  const since = performance.now();
  let said = '';
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      said += part;
    });
  const code = await new Promise((ended) => child.on('close', ended));
  console.log(
    `${code === 0 ? 'ok' : 'FAILED'} ${name} (${Math.round((performance.now() - since) / 1_000)} s)`,
  );
  if (code !== 0) console.log(said);
  return code === 0;
}
