import type { AccountRole } from '@trellis/sdk/shared';

/** The roles of an account, of the text that holds them: names with commas between them. */
export function rolesOfAccount(text: string): readonly AccountRole[] {
  return text.split(',').filter((role): role is AccountRole => role !== '');
}
