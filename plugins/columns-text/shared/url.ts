import { guessBy, textColumn } from './text-column.ts';
import { isURL } from './validators.ts';

/** Where a link leads; undefined for texts that are none, and for schemes such as `javascript:`. */
export function linkOf(text: string): string | undefined {
  if (/^(?:https?|ftp):\/\/\S+$/i.test(text)) return text;
  return /^[\w-]+(?:\.[\w-]+)+(?:[/:?#]\S*)?$/.test(text) ? `https://${text}` : undefined;
}

/** The address of a page; a click opens it in a new tab. */
export const url = textColumn({
  id: 'URL',
  label: 'URL',
  description: 'The address of a page.',
  icon: 'globe',
  order: 13,
  validLabel: 'Take only valid addresses',
  validator: {
    id: 'isURL',
    accepts: isURL,
    message: 'must be an address of the web, such as https://example.com',
  },
  guess: guessBy((text) => /^(?:https?|ftp):\/\/\S+$/i.test(text), 0.95),
  examples: [
    { input: 'https://example.com/a?b=c#d', value: 'https://example.com/a?b=c#d' },
    { input: ' example.com ', value: 'example.com' },
    { input: 'data:text/html,hello', value: 'data:text/html,hello' },
    { input: '', value: '' },
    { input: null, value: null },
  ],
  width: 240,
});
