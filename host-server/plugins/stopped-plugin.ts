import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Which plugin the server was ended for when it last ran. */
export interface StoppedPlugin {
  readonly plugin: string;
  readonly reason: string;
}

/** The note that the watchdog leaves for the next start. */
export function stoppedPluginFile(dataDir: string): string {
  return join(dataDir, 'stopped-plugin.json');
}

/** Reads the note; it stays until {@link forgetStoppedPlugin}. One that cannot be read says nothing. */
export async function readStoppedPlugin(file: string): Promise<StoppedPlugin | undefined> {
  try {
    const { plugin, reason } = JSON.parse(await readFile(file, 'utf8')) as Partial<StoppedPlugin>;
    return typeof plugin === 'string' && typeof reason === 'string' ? { plugin, reason } : undefined;
  } catch {
    return undefined;
  }
}

export function forgetStoppedPlugin(file: string): Promise<void> {
  return rm(file, { force: true });
}
