import type { WebLogger } from '@trellis/sdk/web';

/** A plugin's log: the browser's console, and for errors also the diagnostics. */
export function createWebLogger(
  pluginId: string,
  reportError: (pluginId: string, where: string, error: unknown) => void,
): WebLogger {
  const write =
    (level: 'debug' | 'info' | 'warn') =>
    (message: string, details: object = {}) =>
      // oxlint-disable-next-line no-console -- the console is where a browser's log goes
      console[level](`[${pluginId}] ${message}`, details);
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: (message) => reportError(pluginId, 'log', new Error(message)),
  };
}
