import type { RegistryView } from '@trellis/core';
import type { ShellContext } from '@trellis/sdk/web';
import type { Diagnostics } from '../plugins/diagnostics.ts';

interface Conditional {
  readonly id: string;
  when?(context: ShellContext): boolean;
}

/** Asks a contribution whether it wants to be drawn. One that cannot answer is not drawn. */
export function isShown<Item extends Conditional>(
  item: Item,
  context: ShellContext,
  registry: RegistryView<Item>,
  diagnostics: Diagnostics,
): boolean {
  try {
    return item.when?.(context) ?? true;
  } catch (error) {
    diagnostics.addOnce(registry.ownerOf(item.id) ?? item.id, `when() of ${item.id}`, error);
    return false;
  }
}
