import { defineColumnType, type ParseResult } from '@trellis/sdk/shared';

/** Reads what a client sent or a person typed. It never throws: a refusal ends the sentence that begins with the column's title. */
function parse(input: unknown): ParseResult<string> {
  if (input === null || input === undefined || input === '') return { ok: true, value: null };
  const text = typeof input === 'string' ? input.trim().toLowerCase() : '';
  if (/^#[0-9a-f]{6}$/.test(text)) return { ok: true, value: text };
  return { ok: false, message: 'must be a colour such as #1971c2' };
}

/** The pure part, which both halves import, so that the page refuses exactly what the server refuses. */
export const myPlugin = defineColumnType<string>({
  // Stored with every column of this type, so it never changes.
  id: 'MyPlugin',
  label: 'My plugin',
  description: 'A colour, as #rrggbb.',
  icon: 'palette',
  // What the database keeps, and what it may keep where the table was there before.
  storage: 'string',
  accepts: ['string', 'text'],
  // What its columns become when the plugin is uninstalled for good.
  fallback: 'SingleLineText',
  operators: ['eq', 'neq', 'like', 'nlike', 'null', 'notnull'],
  parse,
  // `parse(format(value))` must give the value back.
  format: (value) => value ?? '',
  // The conformance suite stores each `input` on every database and expects `value` back.
  examples: [
    { input: '#1971c2', value: '#1971c2' },
    { input: ' #ABCDEF ', value: '#abcdef' },
    { input: '', value: null },
    { input: null, value: null },
  ],
  // And it expects each of these to be refused, on every way in.
  invalid: ['blue', '#12345', 7, true],
});
