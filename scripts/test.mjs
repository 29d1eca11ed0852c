// npm test [-- PATH… [OPTION…]]: runs all tests, or those of the named files and folders, after whatever they need is installed and built.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { buildPages } from './build-pages.mjs';
import { findChromium, findRedisServer } from './find-programs.mjs';
import { install } from './install.mjs';
import { node, root, serverEnvironment } from './runtime.mjs';

const VITEST = ['node_modules/vitest/vitest.mjs', 'run'];
const PLAYWRIGHT = ['node_modules/@playwright/test/cli.js', 'test'];
/** What the tests of these folders start is built. All others read the sources. */
const STARTS_WHAT_IS_BUILT = /^(tests|apps\/journal\/server|bench)(\/|$)/;
const BROWSER_TESTS = /^tests\/e2e(\/|$)/;

const given = process.argv.slice(2);
const firstOption = given.findIndex((argument) => argument.startsWith('-'));
const options = firstOption < 0 ? [] : given.slice(firstOption);
const paths = given
  .slice(0, given.length - options.length)
  .map((path) => relative(root, resolve(process.env.INIT_CWD ?? root, path)));

await install('everything');
process.exit(given.length > 0 ? await runChosen() : await runAll());

/** Runs the tests of some files, each with its own runner, with the options of that runner. */
async function runChosen() {
  const suites = [
    [PLAYWRIGHT, paths.filter((path) => BROWSER_TESTS.test(path))],
    [VITEST, paths.filter((path) => !BROWSER_TESTS.test(path))],
  ].filter(([, chosen]) => chosen.length > 0);
  if (suites.length === 0) {
    console.error('Which tests? Name files or folders before the options: npm test -- PATH… [OPTION…]');
    return 1;
  }
  if (paths.some((path) => STARTS_WHAT_IS_BUILT.test(path))) await buildPages();
  let worst = 0;
  for (const [runner, chosen] of suites) {
    const programs = runner === PLAYWRIGHT ? { CHROMIUM_PATH: findChromium() } : {};
    const { status } = await run([...runner, ...chosen, ...options], 'inherit', environmentWith(programs));
    worst ||= status;
  }
  return worst;
}

/** Runs all tests: those in browsers beside the others, since each waits for a third of its time. Lists the failures and counts the tests. */
async function runAll() {
  await buildPages();
  const results = join(root, '.cache', 'results');
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const reportOf = (name) => join(results, `${name}.json`);
  const environment = {
    ...environmentWith({ CHROMIUM_PATH: findChromium(), REDIS_SERVER_PATH: findRedisServer() }),
    FORCE_COLOR: '0',
    PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf('playwright'),
  };
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportOf('vitest')}`];
  const counts = await Promise.all(
    [
      ['vitest', [...VITEST, ...reporters]],
      ['playwright', PLAYWRIGHT],
    ].map(async ([name, args]) => countSuite(reportOf(name), await run(args, 'pipe', environment))),
  );
  for (const { failures } of counts) for (const failure of failures) console.log(`FAILED ${failure}`);
  const sum = (key) => counts.reduce((total, suite) => total + suite[key], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') > 0 ? 1 : 0;
}

/** Returns the environment of the runners. */
function environmentWith(programs) {
  const environment = {
    ...process.env,
    ...programs,
    // Each database of a test on SQLite starts threads, which load the same modules.
    NODE_COMPILE_CACHE: serverEnvironment.NODE_COMPILE_CACHE,
  };
  delete environment.NODE_ENV;
  return environment;
}

/** Runs a program to its end, and passes on what it prints: at once, or whole lines at a time where two print. */
function run(args, output, env) {
  const child = spawn(node(), args, { cwd: root, stdio: ['ignore', output, output], env });
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ])
    if (from) createInterface({ input: from }).on('line', (line) => to.write(`${line}\n`));
  return new Promise((done) => child.on('close', (code) => done({ status: code ?? 1 })));
}

/** Returns the counts of a suite. A runner that fails without a failed test counts as one failure. */
function countSuite(report, { status }) {
  const counts = existsSync(report)
    ? countTests(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, failures: [] };
  return { ...counts, failed: status !== 0 && counts.failed === 0 ? 1 : counts.failed };
}

/** Returns the counts of a JSON report of Playwright or of Vitest (in Jest's format), and a line for each failure. */
function countTests(report) {
  if (report.stats)
    return {
      passed: report.stats.expected + report.stats.flaky,
      failed: report.stats.unexpected + report.stats.skipped,
      failures: report.suites.flatMap(failedSpecs),
    };
  return {
    passed: report.numPassedTests,
    failed: report.numTotalTests - report.numPassedTests,
    failures: report.testResults.flatMap((file) => [
      ...(file.status === 'failed' && file.message ? [failureLine(file.name, '', file.message)] : []),
      ...file.assertionResults
        .filter((test) => test.status !== 'passed')
        .map((test) => failureLine(file.name, test.fullName, test.failureMessages[0] ?? test.status)),
    ]),
  };
}

function failedSpecs(suite) {
  return [
    ...(suite.suites ?? []).flatMap(failedSpecs),
    ...(suite.specs ?? [])
      .filter((spec) => !spec.ok)
      .map((spec) =>
        failureLine(spec.file, spec.title, errorOf(spec.tests.flatMap((test) => test.results).at(-1)?.error)),
      ),
  ];
}

function errorOf(error) {
  return error ? (error.stack ?? error.message) : 'skipped';
}

/** Returns one line for a failed test: what was expected of which element, and where it was expected. */
function failureLine(file, test, message) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const place = lines.find(
    (line) => line.trim().startsWith('at ') && line.includes(root) && !line.includes('node_modules'),
  );
  const said = [...lines.slice(0, 4), ...(place ? [place] : [])].map((line) => line.trim()).join(' | ');
  return `${file.replace(`${root}/`, '')} › ${test}: ${said.replaceAll(`${root}/`, '')}`;
}
