import { escapeHtml, type Letter, type MailMessage } from '@trellis/sdk/server';

/** One line: a line break in a subject would begin further headers. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, ' ').trim();
}

/** A letter as a message: as text and as the same HTML, in which nothing that people wrote is markup. */
export function toMessage(letter: Letter, siteUrl: string): MailMessage {
  const { to, subject, paragraphs, action, note } = letter;
  const url = action && `${siteUrl}/#${action.path}`;
  const text = [
    ...paragraphs,
    ...(action === undefined ? [] : [`${action.label}:\n${url}`]),
    ...(note === undefined ? [] : [note]),
  ].join('\n\n');
  const html = [
    ...paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`),
    ...(action === undefined
      ? []
      : [
          `<p style="margin:24px 0"><a href="${escapeHtml(url ?? '')}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#1348ba;color:#fff;text-decoration:none">${escapeHtml(action.label)}</a></p>`,
          `<p style="margin:0 0 16px;font-size:13px;color:#667085;word-break:break-all">${escapeHtml(url ?? '')}</p>`,
        ]),
    ...(note === undefined
      ? []
      : [`<p style="margin:24px 0 0;font-size:13px;color:#667085">${escapeHtml(note)}</p>`]),
  ].join('\n');
  return {
    to: [to],
    subject: oneLine(subject),
    text: `${text}\n`,
    html: `<!doctype html>\n<html><body style="margin:0;padding:24px;background:#f4f6fa"><div style="max-width:520px;margin:0 auto;padding:32px;border-radius:12px;background:#fff;color:#101828;font:15px/1.5 system-ui,sans-serif">\n${html}\n</div></body></html>\n`,
  };
}
