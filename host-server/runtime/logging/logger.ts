import { messageOf } from '@trellis/core';
import type { Logger } from '@trellis/sdk/server';
import { pino, type DestinationStream } from 'pino';
import { currentPlugin } from '../current-plugin.ts';
import { Allowance } from './allowance.ts';
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

/** Lines of one plugin: what does not fit into standard output is lost, whoever wrote it. */
const linesOfPlugin = { most: 3000, windowMs: 10_000 };

/** Lines of JSON. Secrets are taken out by value, by key and by pattern, and the running plugin is named. */
export function createLogger({
  level,
  destination = standardOutput(),
  secrets = new KnownSecrets(),
}: LoggerOptions): HostLogger {
  const base = pino({ level, base: undefined }, destination);
  const lines = new Allowance(linesOfPlugin);

  function wrap(bindings: Readonly<Record<string, string>>): HostLogger {
    const write =
      (grade: 'debug' | 'info' | 'warn' | 'error') =>
      (message: string, details?: object): void => {
        if (!base.isLevelEnabled(grade)) return;
        const plugin = bindings.plugin ?? currentPlugin();
        const leftOut = plugin === undefined ? 0 : lines.take(plugin);
        if (leftOut === undefined) return;
        const options = { secrets, owner: plugin };
        const named = { ...(plugin !== undefined && { plugin }), ...bindings };
        if (leftOut > 0)
          base.warn({ ...named, leftOut }, 'Lines of a plugin were left out: it wrote too many');
        base[grade](
          { ...named, ...toRecord(redact(toDetails(details), options)) },
          redactText(typeof message === 'string' ? message : messageOf(message), options),
        );
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

function toDetails(details: object | undefined): unknown {
  try {
    return details instanceof Error ? { error: details } : details;
  } catch {
    // Not even that can be asked of some objects, such as a revoked proxy.
    return details;
  }
}

/** The copy of a line's details as members of the line. */
function toRecord(copy: unknown): object {
  if (copy === undefined) return {};
  return typeof copy === 'object' && copy !== null ? copy : { details: copy };
}
