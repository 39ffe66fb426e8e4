import type { ViewSharing } from '@trellis/sdk/shared';

export type LinkWord = ViewSharing['word'];

/** The address by which whoever has it sees a view. */
export function linkAddress(uuid: string, word: LinkWord): string {
  const { origin, pathname } = window.location;
  return `${origin}${pathname}#/nc/${word}/${uuid}`;
}
