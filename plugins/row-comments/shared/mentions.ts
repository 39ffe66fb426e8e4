/** A part of a comment: text, or the e-mail address of a mentioned person. */
export type CommentPart =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'mention'; readonly email: string };

const mention = /(^|[\s([{'"])@([^\s@,;:()[\]{}'"<>]+@[^\s@,;:()[\]{}'"<>]*[^\s@,;:()[\]{}'"<>.!?])/g;

/** Splits a comment at its mentions: `@ann@example.com`. The parts together are the comment. */
export function partsOf(text: string): readonly CommentPart[] {
  const parts: CommentPart[] = [];
  let end = 0;
  for (const found of text.matchAll(mention)) {
    const [, before = '', email = ''] = found;
    const start = found.index + before.length;
    if (start > end) parts.push({ kind: 'text', text: text.slice(end, start) });
    parts.push({ kind: 'mention', email });
    end = start + email.length + 1;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

/** The addresses that a comment mentions, each once, in lower case. */
export function mentionsIn(text: string): readonly string[] {
  const emails = partsOf(text).flatMap((part) => (part.kind === 'mention' ? [part.email.toLowerCase()] : []));
  return [...new Set(emails)];
}
