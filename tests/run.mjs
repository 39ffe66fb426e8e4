/**
 * `npm test`: runs everything that can run on this machine, and reports what could not.
 *
 * With TRELLIS_TEST_REQUIRE_ALL=1 a skipped test fails the run.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../host-server/build/install.mjs';
import { failuresOf, nameOf } from './failures.mjs';
import { afterSecondRun, filesToRepeat } from './second-run.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const requireAll = process.env.TRELLIS_TEST_REQUIRE_ALL === '1';

/** Runs a command and resolves to its exit code. */
function run(args, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Whether a server answers at a database's address. */
function answers(address, defaultPort) {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = createConnection({ host: hostname, port: Number(port || defaultPort), timeout: 2000 });
    const settle = (found) => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}

/** What suites need besides Node; each suite checks for itself, and this announces what will be missing. */
async function missingServices() {
  const postgres = process.env.TRELLIS_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  const mysql = process.env.TRELLIS_TEST_MYSQL ?? 'mysql://root@127.0.0.1:3306/';
  const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  const missing = [];
  if (!(await answers(postgres, 5432))) {
    missing.push('PostgreSQL does not answer; start one and name it in TRELLIS_TEST_POSTGRES.');
  }
  if (!(await answers(mysql, 3306))) {
    missing.push('MySQL or MariaDB does not answer; start one and name it in TRELLIS_TEST_MYSQL.');
  }
  if (!existsSync(chromium)) missing.push(`There is no Chromium at ${chromium}; name one in CHROMIUM_PATH.`);
  return missing;
}

function sayWhatTookLong(files) {
  const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1000;
  console.log('\nThe files that took longest:');
  for (const file of files.toSorted((one, other) => seconds(other) - seconds(one)).slice(0, 10)) {
    console.log(`${seconds(file).toFixed(0).padStart(6)} s  ${file.name.slice(root.length)}`);
  }
}

/**
 * The processor seconds of this process's ended descendants: Jest's workers and the built product. Excluded are database servers,
 * and processes of Chromium that end after their parent. `undefined` without /proc.
 */
function processorSeconds() {
  if (!existsSync('/proc/self/stat')) return undefined;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // Before the bracket is the command, which may contain spaces. Fields 16 and 17 are hundredths of a second (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function sayWhatItCost(begun) {
  const processor = processorSeconds();
  const seconds = (performance.now() - begun) / 1000;
  const used = processor === undefined ? '' : ` and at least ${processor.toFixed(0)} s of processor time`;
  console.log(`\nAll of it took ${seconds.toFixed(0)} s${used}, on ${availableParallelism()} cores.`);
}

/**
 * Runs some of Jest's projects with additional variables, and reads the result.
 *
 * @param only the only files to run, one after another
 */
async function runJest(projects, env, only = []) {
  const report = join(root, 'node_modules/.cache/trellis/tests.json');
  rmSync(report, { force: true });
  const args = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    // Each worker would have four V8 threads without a core for them: waking them costs more than they do.
    '--single-threaded-gc',
    '--v8-pool-size=1',
    // In MB; tests' objects are short-lived, and with V8's default size a tenth of the computing is spent on checking which are
    // still needed.
    '--max-semi-space-size=32',
    'node_modules/jest/bin/jest.js',
    '-c',
    'tests/jest.config.js',
    '--selectProjects',
    ...projects,
    '--json',
    `--outputFile=${report}`,
    '--silent',
    '--reporters=default',
    `--reporters=${join(root, 'tests/project-account.mjs')}`,
    `--reporters=${join(root, 'tests/end-hung-run.mjs')}`,
    ...(only.length > 0 ? ['--maxWorkers=1', '--runTestsByPath', ...only] : []),
  ];
  const code = await run(args, env);
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: [], failures: [], files: [], passing: [] };
  const result = JSON.parse(readFileSync(report, 'utf8'));
  if (only.length === 0) sayWhatTookLong(result.testResults);
  const skipped = result.testResults.flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status !== 'passed' && test.status !== 'failed')
      .map((test) => `${file.name.slice(root.length)}: ${test.fullName}`),
  );
  return {
    passed: result.numPassedTests,
    failures: failuresOf(result.testResults, root),
    files: result.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name),
    passing: result.testResults.flatMap((file) =>
      file.assertionResults
        .filter(({ status }) => status === 'passed')
        .map((test) => nameOf(file, test, root)),
    ),
    // A suite that cannot be loaded has no tests to count.
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites + (code !== 0 && result.success ? 1 : 0),
    skipped,
  };
}

const begun = performance.now();
await ensureInstalled(root, console.log, { tools: true });
mkdirSync(join(root, 'node_modules/.cache/trellis'), { recursive: true });
const missing = await missingServices();
for (const line of missing) console.log(line);

const results = [];
const packedSdk = join(root, 'node_modules/.cache/trellis/packed-sdk');
rmSync(packedSdk, { recursive: true, force: true });
// The end-to-end suites run the built product, and the package suites unpack the packed SDK. The checks need neither, and the
// formatting check ends last by far, so the suites start in parallel.
const checking = run(['tests/check.mjs']);
const [built, packed] = await Promise.all([
  run(['host-server/build/build-command.mjs']),
  run(['tests/run-typescript.mjs', 'tests/package/pack-sdk.ts', packedSdk]),
]);
if (built !== 0) results.push({ passed: 0, failed: 1, skipped: [] });
// In one run, so that no core waits for a project's last file.
const projects = ['server', 'web', 'conformance', 'conformance-web'];
const suites = built === 0 ? [...projects, 'e2e'] : projects;
// Without it each suite packs by itself, and reports what is wrong.
const env = packed === 0 ? { TRELLIS_TEST_PACKED_SDK: packedSdk } : {};
const tested = await runJest(suites, env);
const check = await checking;
const repeated = filesToRepeat(tested);
if (repeated.length > 0) console.log('\nWhat failed is run once more, by itself.');
results.push(repeated.length > 0 ? afterSecondRun(tested, await runJest(suites, env, repeated)) : tested);
results.push({ passed: check === 0 ? 1 : 0, failed: check === 0 ? 0 : 1, skipped: [] });

const sum = (count) => results.reduce((total, result) => total + count(result), 0);
const passed = sum((result) => result.passed);
const skipped = results.flatMap((result) => result.skipped);
// SQL Server and a second Node are missing on many machines, so their suites run only if a variable names one.
const required = skipped.filter((line) => !/set TRELLIS_TEST_(?:MSSQL|NODE22)/.test(line));
let failed = sum((result) => result.failed);
if (skipped.length > 0) {
  console.log(`\nSkipped, because something is missing here:`);
  for (const line of [...missing, ...skipped]) console.log(`  ${line}`);
}
if (requireAll && missing.length + required.length > 0) {
  console.log('TRELLIS_TEST_REQUIRE_ALL=1 allows no skips.');
  failed = Math.max(failed, 1);
}
const failures = results.flatMap((result) => result.failures ?? []);
if (failures.length > 0) console.log(['\nFailed:', ...failures].join('\n  '));
const unsteady = results.flatMap((result) => result.unsteady ?? []);
if (unsteady.length > 0)
  console.log(
    ['\nFailed beside the others, passed by itself; each is a fault to be found:', ...unsteady].join('\n  '),
  );
sayWhatItCost(begun);
console.log(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
