import type { ViewSharing } from '@trellis/sdk/shared';

export type LinkWord = ViewSharing['word'];

/** The address by which whoever has it sees a view. */
export function linkAddress(uuid: string, word: LinkWord): string {
  const { origin, pathname } = window.location;
  return `${origin}${pathname}#/nc/${word}/${uuid}`;
}

/** What other sites write to show the view of a link inside theirs. */
export function embedCode(uuid: string, word: LinkWord, title: string): string {
  const address = `${window.location.origin}/embed/nc/${word}/${uuid}`;
  const named = title.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<iframe src="${address}" title="${named}" width="100%" height="700" style="border:0"></iframe>`;
}
