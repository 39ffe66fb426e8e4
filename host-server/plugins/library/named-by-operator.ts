import type { PluginManifest } from '@trellis/core';
import { unagreedPaths } from './consent.ts';
import { isInFolder, type FoundPlugin } from './found-plugin.ts';

/** What the operator wrote behind an id to agree to all product paths of the plugin. */
const withPaths = ':*';

/** The plugins that the configuration switches on, and what the operator agreed to by that. */
export class NamedByOperator {
  readonly #names: ReadonlySet<string>;

  /** @param names ids, each with `:*` behind it where the operator agrees to the product paths as well. */
  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  has(id: string): boolean {
    return this.#names.has(id) || this.#names.has(`${id}${withPaths}`);
  }

  /** The product paths that nobody has agreed to: naming a plugin lets it run, and not serve addresses of the product. */
  unagreed(id: string, manifest: PluginManifest, consent: readonly string[] | undefined): readonly string[] {
    return this.#names.has(`${id}${withPaths}`) ? [] : unagreedPaths(manifest, consent);
  }

  /**
   * What whoever looks at a plugin must know of it where it was named, since nobody was shown what it asks for; undefined for one that
   * was not, and for one that was installed through the product, which showed it.
   */
  noticeOf(found: FoundPlugin | undefined, isOn: boolean): string | undefined {
    if (found?.manifest === undefined || !isInFolder(found) || !this.has(found.id)) return undefined;
    const { id, manifest, consent, isCopied = false } = found;
    const paths = this.unagreed(id, manifest, consent);
    if (!isOn && paths.length > 0)
      return `TRELLIS_PLUGINS_ENABLED names it, and it stays off: it would serve addresses of the product (${paths.join(', ')}), and nobody has agreed to that. Switch it on to agree, or write '${id}${withPaths}' there.`;
    if (!isOn || !isCopied) return undefined;
    const { permissions = [], contributes: { hosts = [], routes = [] } = {} } = manifest;
    const asked = [
      ...(routes.length > 0 ? [`serves ${routes.join(', ')}`] : []),
      ...(hosts.length > 0 ? [`may call ${hosts.join(', ')}`] : []),
      ...(permissions.length > 0 ? [`asks for ${permissions.join(', ')}`] : []),
    ];
    const more = asked.length > 0 ? ` It ${asked.join(', ')}.` : '';
    return `It starts because TRELLIS_PLUGINS_ENABLED names it, so nobody was shown what it asks for: it runs inside the server with all of its rights.${more}`;
  }
}
