import type { ViewSharing } from '@trellis/sdk/shared';

export type LinkWord = ViewSharing['word'];

/** The address that shows a view to anybody. */
export function linkAddress(uuid: string, word: LinkWord): string {
  const { origin, pathname } = window.location;
  return `${origin}${pathname}#/nc/${word}/${uuid}`;
}
