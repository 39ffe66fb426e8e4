import type { PluginAsks } from '@trellis/sdk/shared';
import { asksOf, describeAsks, unagreedAsks } from './consent.ts';
import { isInFolder, type FoundPlugin } from './found-plugin.ts';

/** What the operator wrote behind an id to agree to all that the plugin asks for. */
const withAll = ':*';

/** The plugins that the configuration switches on, and what the operator agreed to by that. */
export class NamedByOperator {
  readonly #names: ReadonlySet<string>;

  /** @param names ids, each with `:*` behind it where the operator agrees to what it asks for as well. */
  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  has(id: string): boolean {
    return this.#names.has(id) || this.#names.has(`${id}${withAll}`);
  }

  /** What nobody has agreed to: naming a plugin lets it run, and agrees to nothing that it asks for. */
  unagreed(found: Pick<FoundPlugin, 'id' | 'manifest' | 'halves' | 'consent'>): PluginAsks {
    const agreesToAll = this.#names.has(`${found.id}${withAll}`);
    return unagreedAsks(found, agreesToAll ? asksOf(found) : found.consent);
  }

  /**
   * What whoever looks at a plugin must know of it where it was named, since nobody was shown what it asks for; undefined for one that
   * was not, and for one that was installed through the product, which showed it.
   */
  noticeOf(found: FoundPlugin | undefined, isOn: boolean): string | undefined {
    if (found?.manifest === undefined || !isInFolder(found) || !this.has(found.id)) return undefined;
    const { id, isCopied = false } = found;
    const unagreed = describeAsks(this.unagreed(found));
    if (!isOn && unagreed !== '')
      return `TRELLIS_PLUGINS_ENABLED names it, and it stays off: it would ${unagreed}, and nobody has agreed to that. Switch it on to agree, or write '${id}${withAll}' there.`;
    if (!isOn || !isCopied) return undefined;
    // The sentence before says already that the plugin runs in the server.
    const asked = describeAsks({ ...asksOf(found), halves: [] });
    const more = asked === '' ? '' : ` It may ${asked}.`;
    return `It starts because TRELLIS_PLUGINS_ENABLED names it, so nobody was shown what it asks for: it runs inside the server with all of its rights.${more}`;
  }
}
