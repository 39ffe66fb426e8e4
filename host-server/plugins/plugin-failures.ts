import { messageOf, pluginErrors, readableError, TrellisError } from '@trellis/core';
import type { Logger } from '@trellis/sdk/server';
import { Allowance } from '../runtime/logging/allowance.ts';
import type { KnownSecrets } from '../runtime/logging/known-secrets.ts';
import { isInFolder, type FoundPlugin } from './library/found-plugin.ts';
import type { PluginErrorLog } from './plugin-error-log.ts';
import { sourcePlace } from './source-place.ts';

interface PluginFailuresOf {
  readonly errors: PluginErrorLog;
  readonly logger: Logger;
  /** The secrets that must not appear in errors that are shown. */
  readonly knownSecrets: KnownSecrets;
  find(id: string): FoundPlugin | undefined;
}

/** The place of an error in a plugin's sources; undefined if unknown. */
export function placeOf(error: unknown, found: FoundPlugin | undefined): string | undefined {
  return found !== undefined && isInFolder(found) ? sourcePlace(error, found.folder) : undefined;
}

/** An error's message, followed by the place in the sources if known. */
export function withPlace(message: string, place: string | undefined): string {
  return place === undefined ? message : `${message} (${place})`;
}

/** Failures of one plugin that are recorded: each one costs a look into its source maps and a line of the log. */
const failuresOfPlugin = { most: 100, windowMs: 10_000 };

/** Records failures of plugins: on their cards, with the place in the sources and without secrets, and once in the log. */
export function createFailureNotes({ errors, logger, knownSecrets, find }: PluginFailuresOf) {
  const allowance = new Allowance(failuresOfPlugin);
  return (
    pluginId: string,
    where: string,
    thrown: unknown,
    facts: Readonly<Record<string, unknown>> = {},
  ): void => {
    const leftOut = allowance.take(pluginId);
    if (leftOut === undefined) return;
    const error = readableError(thrown);
    const message = messageOf(error);
    // An error of a failed start already contains its place.
    const isTold = error instanceof TrellisError && pluginErrors.ownerOf(error.code) !== undefined;
    const place = isTold ? undefined : placeOf(error, find(pluginId));
    errors.add(pluginId, where, knownSecrets.maskIn(withPlace(message, place)));
    logger.error('A plugin failed', {
      plugin: pluginId,
      where,
      ...facts,
      ...(leftOut > 0 && { leftOut }),
      error,
    });
  };
}
