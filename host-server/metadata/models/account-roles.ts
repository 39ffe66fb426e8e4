import type { AccountRole } from '@trellis/sdk/shared';

/** The roles of an account, from the stored text of comma-separated names. */
export function rolesOfAccount(text: string): readonly AccountRole[] {
  return text.split(',').filter((role): role is AccountRole => role !== '');
}
