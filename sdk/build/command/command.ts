import { resolve } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { meantInstead } from '@trellis/core';

/** One command of `trellis-plugin`. */
export interface Command {
  /** The arguments after the command's name: `[folder] [--to <folder>]`. */
  readonly takes: string;
  /** A one-line description. */
  readonly does: string;
  /** @returns the exit status; an error's message is shown, with status 1 */
  run(args: readonly string[]): Promise<number>;
}

/** Arguments that the command does not know. Reported with the usage, status 2. */
export class UsageError extends Error {}

/** The arguments after a command: options by name, and positional arguments. */
export interface Arguments<Name extends string, Flag extends string> {
  readonly values: { readonly [name in Name]?: string };
  readonly flags: { readonly [flag in Flag]?: boolean };
  readonly named: readonly string[];
}

/**
 * Parses options with a text, flags, and positional arguments: at most one, unless the command takes more.
 *
 * @throws UsageError for anything that the command does not take
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
    const wrong = unknownOption(args, [...names, ...flags]);
    throw new UsageError(wrong ?? messageOf(error), { cause: error });
  }
  throw new UsageError(`'${args.join(' ')}' is more than this command takes.`);
}

/** A sentence about the first option that is not known; undefined if all are. */
function unknownOption(args: readonly string[], known: readonly string[]): string | undefined {
  const options = known.map((name) => `--${name}`);
  const wrong = args
    .map((arg) => arg.replace(/=.*$/, ''))
    .find((arg) => /^--?\w/.test(arg) && !options.includes(arg));
  return wrong === undefined ? undefined : `There is no option '${wrong}'${meantInstead(wrong, options)}`;
}

/** Whether somebody asks what a command takes. */
export function asksForHelp(word: string): boolean {
  return ['--help', '-h'].includes(word);
}

/**
 * Ends the process quietly once nobody reads what it prints, as where it is piped into `head`.
 */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}

/** The folder that a person named; npm runs commands in the folder of its package.json, not in the person's current one. */
export function namedFolder(named: string | undefined): string {
  return named === undefined ? process.cwd() : resolve(process.env['INIT_CWD'] ?? process.cwd(), named);
}

/** Prints a line for the person. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** An error's message, without colours if the output is not a terminal. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return process.stderr.isTTY ? message : stripVTControlCharacters(message);
}

/** Reports an error to the person. */
export function tell(error: unknown): void {
  process.stderr.write(`${messageOf(error)}\n`);
}
