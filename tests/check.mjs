/**
 * Runs the static checks in parallel (formatting, types, lint and dead exports), and prints what failed.
 *
 *   node tests/check.mjs all of them
 *   node tests/check.mjs types lint some of them
 */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = 'node_modules/.cache/trellis';
const tsc = (name, project) => ({
  group: 'types',
  name,
  run: [
    'typescript/bin/tsc',
    '-p',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    `${cache}/${name}.tsbuildinfo`,
  ],
});

const steps = [
  {
    group: 'format',
    name: 'formatting',
    run: [
      'prettier/bin/prettier.cjs',
      '--config=tests/prettier.json',
      '--ignore-path=tests/prettier-ignore',
      '--cache',
      `--cache-location=${cache}/prettier`,
      '--log-level=warn',
      '--list-different',
      '.',
    ],
    hint: 'These files are not formatted; run: npm run format',
  },
  tsc('types-whole', 'tsconfig.json'),
  tsc('types-server', 'tests/types/server.json'),
  tsc('types-web', 'tests/types/web.json'),
  tsc('types-portable', 'tests/types/portable.json'),
  {
    group: 'lint',
    name: 'lint',
    run: [
      'oxlint/bin/oxlint',
      '--config=tests/lint/oxlint.json',
      '--ignore-path=.gitignore',
      '--type-aware',
      '--deny-warnings',
      '--quiet',
      '.',
    ],
  },
  {
    group: 'dead',
    name: 'dead exports',
    run: [
      'knip/bin/knip.js',
      '--config=tests/lint/knip.json',
      '--no-progress',
      '--cache',
      `--cache-location=${cache}/knip`,
    ],
    hint: 'Nothing uses these files, exports or packages:',
  },
];

/** Runs one step and resolves to whether it passed; its output is shown only after a failure. */
function run(step) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      step.run.map((arg, i) => (i === 0 ? `node_modules/${arg}` : arg)),
      {
        cwd: root,
      },
    );
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s)`);
      if (code !== 0) console.log([step.hint, output.trim()].filter(Boolean).join('\n') + '\n');
      resolve(code === 0);
    });
  });
}

const wanted = process.argv.slice(2);
const known = new Set(steps.map((step) => step.group));
const unknown = wanted.filter((group) => !known.has(group));
if (unknown.length > 0) {
  console.error(`There is no check named ${unknown.join(', ')}; choose from ${[...known].join(', ')}.`);
  process.exit(2);
}
mkdirSync(`${root}/${cache}`, { recursive: true });
const results = await Promise.all(
  steps.filter((step) => wanted.length === 0 || wanted.includes(step.group)).map(run),
);
process.exitCode = results.every(Boolean) ? 0 : 1;
