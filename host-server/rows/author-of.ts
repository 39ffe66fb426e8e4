import type { TableHandle } from '@trellis/sdk/server';

/** What cells of authors say of whoever writes: the address of an account, and nothing of a visitor or the product itself. */
export function authorOf({ scope }: Pick<TableHandle, 'scope'>): string | null {
  return scope.principal.email || null;
}
