import type { ShippedPlugin } from '../built-product.ts';

/** A plugin that goes wrong in one way, and what its card says of it afterwards. */
export interface BrokenPlugin extends ShippedPlugin {
  /** What it does: the end of "a plugin that ...". */
  readonly does: string;
  readonly state: string;
  /** What stands in the reason, the notices or the errors of its card. */
  readonly says: RegExp;
  /** Further files by their path in `plugins/<id>`, in place of those that a whole plugin has. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The source of a server half. */
export function half(setup: string, more = ''): string {
  return `export default { ${more} async setup(ctx) { ${setup} } };`;
}

/** Refused when its setup is over: everything is taken back. */
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
