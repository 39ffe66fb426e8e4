import type { Logger } from '@trellis/sdk/server';
import { pino, type DestinationStream } from 'pino';
import { currentPlugin } from '../current-plugin.ts';
import { KnownSecrets } from './known-secrets.ts';
import { redact, redactText } from './redact.ts';
import { standardOutput } from './standard-output.ts';

export interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Default: standard output. */
  readonly destination?: DestinationStream;
  /** The secrets to mask; by default only what field names and patterns reveal. */
  readonly secrets?: KnownSecrets;
}

/** A logger that can name the writer. */
export interface HostLogger extends Logger {
  child(bindings: Readonly<Record<string, string>>): HostLogger;
}

/** Lines of JSON. Secrets are taken out by value, by key and by pattern, and the running plugin is named. */
export function createLogger({
  level,
  destination = standardOutput(),
  secrets = new KnownSecrets(),
}: LoggerOptions): HostLogger {
  const base = pino({ level, base: undefined }, destination);

  function wrap(bindings: Readonly<Record<string, string>>): HostLogger {
    const write =
      (grade: 'debug' | 'info' | 'warn' | 'error') =>
      (message: string, details?: object): void => {
        if (!base.isLevelEnabled(grade)) return;
        const plugin = bindings.plugin ?? currentPlugin();
        const options = { secrets, owner: plugin };
        const extra =
          details === undefined
            ? {}
            : (redact(details instanceof Error ? { error: details } : details, options) as object);
        const line = { ...(plugin !== undefined && { plugin }), ...bindings, ...extra };
        base[grade](line, redactText(message, options));
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
