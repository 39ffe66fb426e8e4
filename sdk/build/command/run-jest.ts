import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** A program's output and exit status. */
export interface ProgramAnswer {
  readonly status: number;
  readonly output: string;
}

/** Jest's message if something keeps it from ending. */
const stuck = /Jest did not exit one second after/;
/** Milliseconds after which a late end is no longer explained by a busy machine. */
const patience = 10_000;

interface ProgramRun {
  readonly folder: string;
  readonly isShown?: boolean;
  readonly flags?: readonly string[];
  /** Kills the program. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs a program of a package that the SDK depends on; the package does not export its `bin`. */
export async function runProgram(
  name: string,
  file: string,
  args: readonly string[],
  { folder, isShown = false, flags = [], signal }: ProgramRun,
): Promise<ProgramAnswer> {
  const program = join(require.resolve(`${name}/package.json`), '..', file);
  const child = spawn(process.execPath, [...flags, program, ...args], {
    cwd: folder,
    // This command sets NODE_ENV for production, but React must not be the production copy in tests.
    env: { ...process.env, NODE_ENV: 'test' },
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
  const end = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', end, { once: true });
  let output = '';
  let timer: NodeJS.Timeout | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (stuck.test(output)) timer ??= setTimeout(() => child.kill('SIGKILL'), patience);
    });
  const [status] = (await once(child, 'close')) as [number | null];
  signal?.removeEventListener('abort', end);
  clearTimeout(timer);
  if (status === null && stuck.test(output))
    output = `Something that the plugin began goes on after it was switched off: a timer, a socket or a server. End it where 'ctx.signal' aborts, or hand it to 'ctx.own'.\n${output}`;
  return { status: status ?? 1, output };
}

/** How to run a plugin's tests. */
export interface JestRun {
  readonly args?: readonly string[];
  readonly isShown?: boolean;
  /** Runs only the tests of this folder within the plugin; absent: all tests but those in hidden folders. */
  readonly within?: string;
}

/** Runs Jest on a plugin's folder with the test kit's configuration. */
export async function runJest(
  folder: string,
  { args = [], isShown = false, within }: JestRun,
): Promise<ProgramAnswer> {
  // Resolved at run time, because Jest loads the files next to it by their paths.
  const { pluginJestConfig } = (await import(import.meta.resolve('@trellis/sdk/testing/jest'))) as {
    readonly pluginJestConfig: (folder: string, within?: string) => object;
  };
  const command = ['--config', JSON.stringify(pluginJestConfig(folder, within)), ...args];
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  return runProgram('jest', 'bin/jest.js', command, { folder, isShown, flags });
}
