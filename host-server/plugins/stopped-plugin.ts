import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystem } from '@trellis/core';
import type { PluginLibrary } from './library/plugin-library.ts';
import type { PluginRows } from './plugin-rows.ts';

/** The plugin because of which the server was ended in its last run. */
export interface StoppedPlugin {
  readonly plugin: string;
  readonly reason: string;
}

/** The file of the note that the watchdog leaves for the next start. */
export function stoppedPluginFile(dataDir: string): string {
  return join(dataDir, 'stopped-plugin.json');
}

/** Reads the note, which stays until {@link forgetStoppedPlugin}. An unreadable note counts as empty. */
async function readStoppedPlugin(file: string): Promise<StoppedPlugin | undefined> {
  try {
    const { plugin, reason } = JSON.parse(await readFile(file, 'utf8')) as Partial<StoppedPlugin>;
    return typeof plugin === 'string' && typeof reason === 'string' ? { plugin, reason } : undefined;
  } catch {
    return undefined;
  }
}

function forgetStoppedPlugin(file: string): Promise<void> {
  return rm(file, { force: true });
}

/** A plugin for which the watchdog ended the server stays off until somebody enables it. System plugins always run. */
export async function leaveOffStopped({
  file,
  library,
  rows,
  onError,
}: {
  readonly file: string;
  readonly library: Pick<PluginLibrary, 'find'>;
  readonly rows: Pick<PluginRows, 'write'>;
  readonly onError: (pluginId: string, where: string, error: unknown) => void;
}): Promise<void> {
  const stopped = await readStoppedPlugin(file);
  const plugin = library.find(stopped?.plugin ?? '');
  if (stopped !== undefined && plugin !== undefined && !isSystem(plugin)) {
    const { id, manifest } = plugin;
    await rows.write({ id, version: manifest?.version, state: 'crashed', reason: stopped.reason });
    onError(plugin.id, 'watchdog', stopped.reason);
  }
  await forgetStoppedPlugin(file);
}
