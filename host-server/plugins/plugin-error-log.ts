import type { PluginEntity } from '@trellis/sdk/shared';

const keptErrors = 50;
const longestMessage = 500;

/** What went wrong with each plugin since the start, the newest first; for the app store page. */
export class PluginErrorLog {
  readonly #errors = new Map<string, PluginEntity['errors']>();

  /** The last ones of a plugin. */
  of(id: string): PluginEntity['errors'] {
    return this.#errors.get(id) ?? [];
  }

  add(id: string, where: string, message: string): void {
    const entry = { at: new Date().toISOString(), where, message: message.slice(0, longestMessage) };
    this.#errors.set(id, [entry, ...this.of(id)].slice(0, keptErrors));
  }
}
