import type { ShippedPlugin } from '../built-product.ts';

/** A plugin that fails in one way, and what its card says afterwards. */
export interface BrokenPlugin extends ShippedPlugin {
  /** What it does: the end of "a plugin that ...". */
  readonly does: string;
  readonly state: string;
  /** The text of the reason, the notices or the errors on its card. */
  readonly says: RegExp;
  /** Further files by their path in `plugins/<id>`, instead of a complete plugin's. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The source of a server half. */
export function half(setup: string, more = ''): string {
  return `export default { ${more} async setup(ctx) { ${setup} } };`;
}

/** Refused after its setup: everything is undone. */
export function failing(id: string, does: string, setup: string, says: RegExp): BrokenPlugin {
  return { id, name: id, does, server: half(setup), state: 'failed', says };
}

/** Refused before any of its code runs. */
export function misfit(
  id: string,
  does: string,
  manifest: Readonly<Record<string, unknown>>,
  says: RegExp,
): BrokenPlugin {
  return { id, name: id, does, manifest, server: half(''), state: 'incompatible', says };
}
