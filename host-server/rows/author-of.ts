import type { TableHandle } from '@trellis/sdk/server';

/** The value of a "created by" or "changed by" cell: the address of the account that writes; empty for visitors and for the product itself. */
export function authorOf({ scope }: Pick<TableHandle, 'scope'>): string | null {
  return scope.principal.email || null;
}
