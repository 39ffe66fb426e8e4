import { resolve } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';

/** One of the things that `trellis-plugin` does. */
export interface Command {
  /** What stands behind the command's name: `[folder] [--to <folder>]`. */
  readonly takes: string;
  /** What it does, in a line. */
  readonly does: string;
  /** @returns the exit status; what it throws is told by its message, with status 1 */
  run(args: readonly string[]): Promise<number>;
}

/** What a person asked for in a way that the command does not know. Told with the usage, status 2. */
export class UsageError extends Error {}

/** What a person wrote behind a command: options by name, and what stands alone. */
export interface Arguments<Name extends string, Flag extends string> {
  readonly values: { readonly [name in Name]?: string };
  readonly flags: { readonly [flag in Flag]?: boolean };
  readonly named: readonly string[];
}

/**
 * Reads options that take a text each, others that are there or not, and arguments beside them: one at the most, unless the command takes more.
 *
 * @throws UsageError for what the command does not take
 */
export function readArguments<Name extends string = never, Flag extends string = never>(
  args: readonly string[],
  names: readonly Name[] = [],
  flags: readonly Flag[] = [],
  { most = 1 }: { readonly most?: number } = {},
): Arguments<Name, Flag> {
  const options = Object.fromEntries([
    ...names.map((name) => [name, { type: 'string' }] as const),
    ...flags.map((flag) => [flag, { type: 'boolean' }] as const),
  ]);
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const given = values as Arguments<Name, Flag>['values'] & Arguments<Name, Flag>['flags'];
    if (positionals.length <= most) return { values: given, flags: given, named: positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  throw new UsageError(`'${args.join(' ')}' is more than this command takes.`);
}

/** The folder that a person named; npm runs commands in the folder of its package.json, whichever folder the person stands in. */
export function namedFolder(named: string | undefined): string {
  return named === undefined ? process.cwd() : resolve(process.env['INIT_CWD'] ?? process.cwd(), named);
}

/** Writes a line for the person. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What an error says, without the colours of a terminal where none shows it. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return process.stderr.isTTY ? message : stripVTControlCharacters(message);
}

/** Tells the person what went wrong. */
export function tell(error: unknown): void {
  process.stderr.write(`${messageOf(error)}\n`);
}
