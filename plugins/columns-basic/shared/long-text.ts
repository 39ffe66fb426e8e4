import { defineColumnType, parseText } from '@trellis/sdk/shared';
import { textOperators } from './operators.ts';

export type LongTextOptions = {
  /** Whether the text is Markdown: edited with buttons and shown with headings, lists and links. It is stored as typed. */
  readonly richMode: boolean;
};

/** A text of any length, with line breaks. */
export const longText = defineColumnType<string, LongTextOptions>({
  id: 'LongText',
  label: 'Long text',
  description: 'Notes and paragraphs.',
  icon: 'align-left',
  storage: 'text',
  accepts: ['text', 'string', 'json', 'binary'],
  fallback: 'SingleLineText',
  operators: textOperators,
  order: 20,
  options: {
    schema: {
      type: 'object',
      properties: {
        richMode: { type: 'boolean', title: 'Headings, lists and links (Markdown)', default: false },
      },
    },
    defaults: { richMode: false },
  },
  parse: parseText,
  format: (value) => (value === null ? '' : String(value)),
  guess: (samples) => (samples.some((text) => text.length > 255 || text.includes('\n')) ? 0.9 : 0),
  examples: [
    { input: 'one\ntwo\ttabbed', value: 'one\ntwo\ttabbed' },
    { input: 'x'.repeat(64_000), value: 'x'.repeat(64_000) },
    { input: '<script>alert(1)</script>', value: '<script>alert(1)</script>' },
    { input: null, value: null },
  ],
  invalid: [{ a: 1 }, 'a\u0000b'],
  width: 280,
});
