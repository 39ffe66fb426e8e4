import type { PluginAsks } from '@trellis/sdk/shared';
import { asksOf, describeAsks, unagreedAsks } from './consent.ts';
import { isInFolder, type FoundPlugin } from './found-plugin.ts';

/** The suffix of an id by which the operator agrees to everything that the plugin asks for. */
const withAll = ':*';

/** The plugins that the configuration switches on, with the operator's consent. */
export class NamedByOperator {
  readonly #names: ReadonlySet<string>;

  /** @param names ids, each followed by `:*` if the operator agrees to what it asks for */
  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  has(id: string): boolean {
    return this.#names.has(id) || this.#names.has(`${id}${withAll}`);
  }

  /** What lacks consent: naming a plugin lets it run, but is no consent to what it asks for. */
  unagreed(found: Pick<FoundPlugin, 'id' | 'manifest' | 'halves' | 'consent'>): PluginAsks {
    const agreesToAll = this.#names.has(`${found.id}${withAll}`);
    return unagreedAsks(found, agreesToAll ? asksOf(found) : found.consent);
  }

  /**
   * A notice for people who look at a plugin that the configuration names, since nobody was shown what it asks for. Undefined for
   * other plugins, and for one installed through the product, which showed it.
   */
  noticeOf(found: FoundPlugin | undefined, isOn: boolean): string | undefined {
    if (found?.manifest === undefined || !isInFolder(found) || !this.has(found.id)) return undefined;
    const { id, isCopied = false } = found;
    const unagreed = describeAsks(this.unagreed(found));
    if (!isOn && unagreed !== '')
      return `TRELLIS_PLUGINS_ENABLED names it, and it stays off: it would ${unagreed}, and nobody has agreed to that. Switch it on to agree, or write '${id}${withAll}' there.`;
    if (!isOn || !isCopied) return undefined;
    // The sentence before already says that the plugin runs in the server.
    const asked = describeAsks({ ...asksOf(found), halves: [] });
    const more = asked === '' ? '' : ` It may ${asked}.`;
    return `It starts because TRELLIS_PLUGINS_ENABLED names it, so nobody was shown what it asks for: it runs inside the server with all of its rights.${more}`;
  }
}
