import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, join, resolve } from 'node:path';
import { parseMetadataUrl } from '../../databases/connections/database-url.ts';
import type { DatabaseTarget } from '../../databases/database.ts';

/** All settings of the operator, read once at the start. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly database: DatabaseTarget;
  /** Undefined: a secret is made at the first start and stored in the data folder. */
  readonly secret: string | undefined;
  readonly safeMode: boolean;
  readonly pluginsLocked: boolean;
  /** Whether authors may load plugins under development into this server. */
  readonly pluginsInDevelopment: boolean;
  /** Ids of plugins in the data folder that start even if nobody has decided about them. */
  readonly pluginsEnabled: readonly string[];
  /** The address of the plugin index; if set, it cannot be changed in the page. */
  readonly pluginIndex: string | undefined;
  /** Addresses and ranges (`10.0.0.0/8`) in private networks that the server may connect to for its members. */
  readonly outboundAllow: readonly string[];
  /** The public address without a trailing slash. */
  readonly siteUrl: string | undefined;
  /** The number of proxies in front of this server whose `X-Forwarded-For` counts. */
  readonly trustProxy: number;
  /** The folder of SQLite files that may be opened. */
  readonly sqliteDir: string;
  /** The most megabytes of an uploaded SQLite file; 0 forbids uploads. */
  readonly sqliteUploadMb: number;
  readonly corsOrigins: readonly string[];
  /** Days for which the change log is kept, and with it history, undo and audit. */
  readonly changeDays: number;
  readonly logLevel: LogLevel;
  /** Seconds that the server may hang before its watchdog ends it; 0 for no limit. */
  readonly watchdogSeconds: number;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** A setting and its origin, to be printed at the start. */
export interface ConfigOrigin {
  readonly name: string;
  readonly value: string;
  readonly origin: 'default' | 'environment' | 'file' | 'command line';
}

export interface LoadedConfig {
  readonly config: Config;
  readonly origins: readonly ConfigOrigin[];
}

/** All problems of a configuration, in one message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];
const settingNames = [
  'PORT',
  'HOST',
  'TRELLIS_DATA_DIR',
  'TRELLIS_DB',
  'TRELLIS_SECRET',
  'TRELLIS_SAFE_MODE',
  'TRELLIS_PLUGINS',
  'TRELLIS_PLUGINS_ENABLED',
  'TRELLIS_PLUGINS_DEV',
  'TRELLIS_PLUGIN_INDEX',
  'TRELLIS_OUTBOUND_ALLOW',
  'TRELLIS_SITE_URL',
  'TRELLIS_TRUST_PROXY',
  'TRELLIS_SQLITE_DIR',
  'TRELLIS_SQLITE_UPLOAD_MB',
  'TRELLIS_CORS_ORIGINS',
  'TRELLIS_CHANGE_DAYS',
  'TRELLIS_LOG_LEVEL',
  'TRELLIS_WATCHDOG_SECONDS',
] as const;

type SettingName = (typeof settingNames)[number];

/** Reads settings one by one and collects every problem, so that the operator sees all of them at once. */
class SettingsReader {
  readonly problems: string[] = [];
  readonly origins: ConfigOrigin[] = [];
  readonly #environment: Environment;
  readonly #file: Readonly<Record<string, unknown>>;

  constructor(environment: Environment, file: Readonly<Record<string, unknown>>) {
    this.#environment = environment;
    this.#file = file;
  }

  read<T>(
    name: SettingName,
    fallback: string,
    parse: (text: string) => T,
    options: { secret?: boolean } = {},
  ): T | undefined {
    const fromEnvironment = this.#environment[name];
    const fromFile = this.#file[name];
    const text =
      fromEnvironment ?? (fromFile === undefined ? undefined : String(fromFile as string | number | boolean));
    const origin =
      fromEnvironment !== undefined ? 'environment' : fromFile !== undefined ? 'file' : 'default';
    const value = text ?? fallback;
    this.origins.push({ name, value: options.secret && value !== '' ? '***' : maskUrl(value), origin });
    try {
      return parse(value);
    } catch (error) {
      this.problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }
}

/** An address without its password. */
function maskUrl(text: string): string {
  return text.replace(/(\/\/[^:/@\s]*):[^@\s]*@/, '$1:***@');
}

function readFile(path: string | undefined, problems: string[]): Readonly<Record<string, unknown>> {
  if (path === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
      throw new Error('must hold one JSON object');
    const unknown = Object.keys(parsed).filter((key) => !(settingNames as readonly string[]).includes(key));
    if (unknown.length > 0)
      problems.push(`${path}: unknown settings ${unknown.join(', ')}; known are ${settingNames.join(', ')}`);
    return parsed as Readonly<Record<string, unknown>>;
  } catch (error) {
    problems.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  }
}

function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || value > most) {
      throw new Error(`must be a whole number from ${least} to ${most}, not '${text}'`);
    }
    return value;
  };
}

function yesOrNo(text: string): boolean {
  if (/^(?:1|true|yes|on)$/i.test(text)) return true;
  if (/^(?:|0|false|no|off)$/i.test(text)) return false;
  throw new Error(`must be true or false, not '${text}'`);
}

function list(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function addressRanges(text: string): readonly string[] {
  const ranges = list(text);
  for (const range of ranges) {
    const [address = '', bits, ...rest] = range.split('/');
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    const isWhole = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
    if (most < 0 || !isWhole || rest.length > 0)
      throw new Error(
        `must be addresses or ranges such as 10.0.0.5, 10.0.0.0/8, separated by commas, not '${range}'`,
      );
  }
  return ranges;
}

/** @param example an example of such an address. @throws Error for a text that is no address of a web server */
function webUrl(text: string, example: string): URL {
  if (!URL.canParse(text)) throw new Error(`must be an address such as ${example}, not '${text}'`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error('must begin with http:// or https://');
  return url;
}

function siteUrl(text: string): string | undefined {
  if (text === '') return undefined;
  return webUrl(text, 'https://data.example.com').href.replace(/\/+$/, '');
}

function fileUrl(text: string): string | undefined {
  if (text === '') return undefined;
  const { href, username, password } = webUrl(text, 'https://example.com/plugins.json');
  if (username !== '' || password !== '') throw new Error('must hold no user name and no password');
  return href;
}

function secret(text: string): string | undefined {
  if (text === '') return undefined;
  if (text.length < 16) throw new Error('must have at least 16 characters; leave it out to have one made');
  if (/^(?:change|secret|trellis|example|password)/i.test(text))
    throw new Error('looks like a sample value; use a random one');
  return text;
}

/**
 * Reads the configuration: an optional file, over which the environment wins, and `--safe-mode` on the command line, which
 * wins over both.
 *
 * @throws ConfigError naming every wrong setting and what it must be.
 */
export function loadConfig(environment: Environment, argv: readonly string[], cwd: string): LoadedConfig {
  const problems: string[] = [];
  const dataDirHint = resolve(cwd, environment.TRELLIS_DATA_DIR ?? './data');
  const defaultFile = join(dataDirHint, 'trellis.json');
  const filePath = environment.TRELLIS_CONFIG ?? (existsSync(defaultFile) ? defaultFile : undefined);
  const reader = new SettingsReader(environment, readFile(filePath, problems));
  const absolute = (text: string) => (isAbsolute(text) ? text : resolve(cwd, text));

  const dataDir = reader.read('TRELLIS_DATA_DIR', './data', absolute) ?? dataDirHint;
  const port = reader.read('PORT', '8080', wholeNumber(0, 65_535));
  const host = reader.read('HOST', '127.0.0.1', (text) => text);
  const database = reader.read(
    'TRELLIS_DB',
    `sqlite:${join(dataDir, 'trellis.db')}`,
    (text): DatabaseTarget => {
      const target = parseMetadataUrl(text);
      return 'file' in target ? { ...target, file: absolute(target.file), create: true } : target;
    },
  );
  const ownSecret = reader.read('TRELLIS_SECRET', '', secret, { secret: true });
  const safeMode = reader.read('TRELLIS_SAFE_MODE', '', yesOrNo);
  const pluginsLocked = reader.read('TRELLIS_PLUGINS', '', (text) => {
    if (text !== '' && text !== 'locked') throw new Error(`must be 'locked' or absent, not '${text}'`);
    return text === 'locked';
  });
  const pluginsInDevelopment = reader.read('TRELLIS_PLUGINS_DEV', '', yesOrNo);
  const pluginsEnabled = reader.read('TRELLIS_PLUGINS_ENABLED', '', list);
  const pluginIndex = reader.read('TRELLIS_PLUGIN_INDEX', '', fileUrl);
  const outboundAllow = reader.read('TRELLIS_OUTBOUND_ALLOW', '', addressRanges);
  const site = reader.read('TRELLIS_SITE_URL', '', siteUrl);
  const trustProxy = reader.read('TRELLIS_TRUST_PROXY', '0', wholeNumber(0, 10));
  const sqliteDir = reader.read('TRELLIS_SQLITE_DIR', join(dataDir, 'sqlite'), absolute);
  const sqliteUploadMb = reader.read('TRELLIS_SQLITE_UPLOAD_MB', '1024', wholeNumber(0, 1_000_000));
  const corsOrigins = reader.read('TRELLIS_CORS_ORIGINS', '', list);
  const changeDays = reader.read('TRELLIS_CHANGE_DAYS', '90', wholeNumber(1, 36_500));
  const logLevel = reader.read('TRELLIS_LOG_LEVEL', 'info', (text) => {
    if (!logLevels.includes(text as LogLevel)) throw new Error(`must be one of ${logLevels.join(', ')}`);
    return text as LogLevel;
  });
  const watchdogSeconds = reader.read('TRELLIS_WATCHDOG_SECONDS', '30', wholeNumber(0, 3600));
  const unknownArguments = argv.filter((argument) => argument !== '--safe-mode');
  if (unknownArguments.length > 0)
    problems.push(`unknown options ${unknownArguments.join(' ')}; the only one is --safe-mode`);
  problems.push(...reader.problems);
  if (problems.length > 0 || database === undefined) throw new ConfigError(problems);
  const isSafe = argv.includes('--safe-mode') || safeMode === true;
  return {
    config: {
      port: port ?? 8080,
      host: host ?? '127.0.0.1',
      dataDir,
      database,
      secret: ownSecret,
      safeMode: isSafe,
      pluginsLocked: pluginsLocked ?? false,
      pluginsInDevelopment: pluginsInDevelopment ?? false,
      pluginsEnabled: pluginsEnabled ?? [],
      pluginIndex,
      outboundAllow: outboundAllow ?? [],
      siteUrl: site,
      trustProxy: trustProxy ?? 0,
      sqliteDir: sqliteDir ?? join(dataDir, 'sqlite'),
      sqliteUploadMb: sqliteUploadMb ?? 1024,
      corsOrigins: corsOrigins ?? [],
      changeDays: changeDays ?? 90,
      logLevel: logLevel ?? 'info',
      watchdogSeconds: watchdogSeconds ?? 30,
    },
    origins: argv.includes('--safe-mode')
      ? reader.origins.map((of) =>
          of.name === 'TRELLIS_SAFE_MODE' ? { ...of, value: 'true', origin: 'command line' } : of,
        )
      : reader.origins,
  };
}

/** The configuration as lines for the log: name, value, origin. */
export function describeConfig(origins: readonly ConfigOrigin[]): string {
  const shown = origins.filter((of) => of.value !== '' || of.origin !== 'default');
  const width = Math.max(...shown.map((of) => of.name.length));
  return shown.map((of) => `  ${of.name.padEnd(width)}  ${of.value} (${of.origin})`).join('\n');
}
