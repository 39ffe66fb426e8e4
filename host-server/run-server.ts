import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { readableError } from '@trellis/core';
import type { Config } from './runtime/config/config.ts';
import { DatabaseError } from './databases/index.ts';
import { createHost, type Host } from './host.ts';
import { openWaitingRoom } from './http/waiting-room.ts';
import { KnownSecrets } from './runtime/logging/known-secrets.ts';
import { createLogger, type HostLogger } from './runtime/logging/logger.ts';
import { startProblem } from './runtime/config/start-problem.ts';
import { findModuleLocations, pluginFolderUrls } from './plugins/locate-modules.ts';
import { stoppedPluginFile } from './plugins/stopped-plugin.ts';
import { currentPlugin, isLeftOver } from './runtime/current-plugin.ts';
import { LateErrors } from './runtime/late-errors.ts';
import { collectWhileIdle } from './runtime/idle-collection.ts';
import { pluginOfStack } from './runtime/watchdog/busy-frame.ts';
import { startWatchdog, type Watchdog } from './runtime/watchdog/start-watchdog.ts';
import { exitCode, type PluginFolders } from './runtime/watchdog/watchdog-data.ts';

/** Milliseconds between two tries to reach the metadata database, at most. */
const slowestRetry = 10_000;

/** Writes to the operator, before there is a logger and when there is none any more. */
function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

interface StartOptions {
  readonly logger: HostLogger;
  readonly secrets: KnownSecrets;
  readonly signal: AbortSignal;
  readonly heldMemory: Watchdog['heldMemory'];
}

/** Makes the host. While the server of the metadata cannot be reached it tries again, and answers 503 meanwhile. */
async function makeHost(config: Config, options: StartOptions): Promise<Host> {
  const { logger, signal } = options;
  let room: { close(): Promise<void> } | undefined;
  try {
    for (let delay = 250; ; delay = Math.min(delay * 2, slowestRetry)) {
      try {
        return await createHost(config, options);
      } catch (error) {
        const isAway =
          error instanceof DatabaseError && (error.kind === 'unreachable' || error.kind === 'busy');
        if (!isAway || 'file' in config.database) throw error;
        logger.warn(`The metadata database cannot be reached; trying again in ${delay} ms`, { error });
        room ??= await openWaitingRoom(config);
        await setTimeout(delay, undefined, { signal });
      }
    }
  } finally {
    await room?.close();
  }
}

interface Watched extends Pick<StartOptions, 'signal' | 'heldMemory'> {
  readonly folders: PluginFolders;
}

async function start(config: Config, { folders, ...watched }: Watched): Promise<Host> {
  const secrets = new KnownSecrets();
  const logger = createLogger({ level: config.logLevel, secrets });
  const made: { host?: Host } = {};
  reportLateErrors(logger, folders, () => made.host);
  nameWhoExits(logger, folders, stoppedPluginFile(config.dataDir));
  const host = await makeHost(config, { logger, secrets, ...watched });
  made.host = host;
  const port = await host.listen();
  collectWhileIdle();
  const shown = config.host === '0.0.0.0' || config.host === '127.0.0.1' ? 'localhost' : config.host;
  say(`Trellis listens on http://${shown}:${port}`);
  say('Open this address in a browser. Whoever signs up first administers it.');
  return host;
}

/** How a server that starts or runs is ended. */
interface Ending {
  readonly starting: Promise<Host>;
  readonly giveUp: () => void;
  /** Last of all: a plugin may hang while it stops. */
  readonly stopWatching: () => Promise<void>;
}

/** Milliseconds in which a second signal is the same wish: a terminal and a service manager tell every process of a group, and the start hands on. */
const SAME_SIGNAL_MS = 1000;

/** Ends on the operator's signals: what starts is given up, what runs is stopped. Another signal later on does not wait. */
function stopOnSignals({ starting, giveUp, stopWatching }: Ending): void {
  let stopsSince: number | undefined;
  async function stop(): Promise<void> {
    // A start that was given up has taken everything back.
    const host = await starting.catch(() => undefined);
    await host?.stop();
    await stopWatching();
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopsSince !== undefined) {
        if (performance.now() - stopsSince > SAME_SIGNAL_MS) process.exit(1);
        return;
      }
      stopsSince = performance.now();
      say('Trellis stops.');
      giveUp();
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          say(`Trellis did not stop cleanly: ${error instanceof Error ? error.message : String(error)}`);
          process.exit(1);
        },
      );
    });
  }
}

/**
 * A late error of a plugin must not end the work of everybody: it is logged with its stack and counted as an error of that plugin.
 * A thrown error takes its plugin out of service, unless the run of the plugin that it comes from is over already. An error that belongs
 * to no plugin ends the process: the state it left is unknown.
 */
function reportLateErrors(logger: HostLogger, folders: PluginFolders, host: () => Host | undefined): void {
  const ownerOf = (error: unknown) =>
    pluginOfStack(error instanceof Error ? error.stack : undefined, folders);
  const late = new LateErrors(({ error, isLeftOver: isOver, ...of }) => {
    const plugin = of.plugin ?? ownerOf(error);
    const { plugins } = host() ?? {};
    if (plugin !== undefined && plugins !== undefined)
      plugins.onError(plugin, 'late error', isOver ? leftOver(error) : error);
    else logger.error('An error that nobody waited for', { plugin, error });
  });
  process.on('unhandledRejection', (error) => {
    late.add({ plugin: currentPlugin(), error, isLeftOver: isLeftOver() });
  });
  process.on('uncaughtException', (thrown) => {
    const current = currentPlugin();
    if (current !== undefined && isLeftOver() && host()?.plugins !== undefined)
      return late.add({ plugin: current, error: thrown, isLeftOver: true });
    const error = readableError(thrown);
    const plugin = current ?? ownerOf(error);
    if (plugin !== undefined && host()?.plugins.recover(plugin, error) === true) return;
    logger.error('An error that nobody caught ends the server', { plugin, error });
    process.exit(1);
  });
}

/** The error of a run that is over, which tells how it can be ended. */
function leftOver(error: unknown): Error {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const told = new Error(
    `${message} - thrown by what the plugin started before it was switched off and did not end, such as a timer; only a restart of the server ends it`,
    { cause: error },
  );
  return Object.assign(told, { stack });
}

/**
 * A plugin that ends the process is named in the log, and is off when the server starts again: whoever restarts it would otherwise
 * find no reason for its end.
 */
function nameWhoExits(logger: HostLogger, folders: PluginFolders, noteFile: string): void {
  const exit = process.exit.bind(process);
  process.exit = (code) => {
    const plugin = pluginOfStack(new Error('exit').stack, folders) ?? currentPlugin();
    if (plugin === undefined) return exit(code);
    logger.error('A plugin ended the server by process.exit; it starts without the plugin', { plugin, code });
    const reason = 'It ended the whole server by process.exit; enable it to try again.';
    writeFileSync(noteFile, JSON.stringify({ plugin, reason }));
    return exit(exitCode);
  };
}

/** Runs the server until the operator ends it; a start that fails ends the process. */
export async function runServer(config: Config): Promise<void> {
  const ending = new AbortController();
  const folders = pluginFolderUrls(findModuleLocations(), config.dataDir);
  const watchdog = startWatchdog({
    limitSeconds: config.watchdogSeconds,
    noteFile: stoppedPluginFile(config.dataDir),
    folders,
  });
  const { heldMemory } = watchdog;
  const starting = start(config, { folders, heldMemory, signal: ending.signal });
  stopOnSignals({ starting, giveUp: () => ending.abort(), stopWatching: () => watchdog.stop() });
  try {
    await starting;
  } catch (error) {
    if (ending.signal.aborted) return;
    process.stderr.write(`Trellis cannot start: ${startProblem(error, config)}\n`);
    process.exit(1);
  }
}
