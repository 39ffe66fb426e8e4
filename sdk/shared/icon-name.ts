const fontName = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** Whether a text is an icon that a person chose: a name of the icon font without its prefix, or one emoji. @public */
export function isIconName(text: string): boolean {
  return text.length <= 40 && (fontName.test(text) || isEmoji(text));
}

/** Whether a text is one emoji and nothing else. @public */
export function isEmoji(text: string): boolean {
  // Digits and the like are emoji characters too, but become pictures only as part of a keycap.
  const isPicture = /[\p{Extended_Pictographic}\p{Regional_Indicator}\u{20E3}]/u.test(text);
  if (!isPicture || /[\p{Letter}\s]/u.test(text)) return false;
  return [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].length === 1;
}
