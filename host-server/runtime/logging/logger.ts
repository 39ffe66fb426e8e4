import type { Logger } from '@trellis/sdk/server';
import { pino, type DestinationStream } from 'pino';
import { currentPlugin } from '../current-plugin.ts';
import { redact, redactText } from './redact.ts';

export interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

/** A logger that can name who writes. */
export interface HostLogger extends Logger {
  child(bindings: Readonly<Record<string, string>>): HostLogger;
}

/** Lines of JSON. Secrets are taken out by key and by pattern, and the running plugin is named. */
export function createLogger({ level, destination }: LoggerOptions): HostLogger {
  const base = pino({ level, base: undefined }, destination);

  function wrap(bindings: Readonly<Record<string, string>>): HostLogger {
    const write =
      (grade: 'debug' | 'info' | 'warn' | 'error') =>
      (message: string, details?: object): void => {
        if (!base.isLevelEnabled(grade)) return;
        const plugin = currentPlugin();
        const extra =
          details === undefined
            ? {}
            : (redact(details instanceof Error ? { error: details } : details) as object);
        base[grade]({ ...(plugin !== undefined && { plugin }), ...bindings, ...extra }, redactText(message));
      };
    return {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      child: (more) => wrap({ ...bindings, ...more }),
    };
  }
  return wrap({});
}
