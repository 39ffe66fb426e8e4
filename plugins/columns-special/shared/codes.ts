import { textOperators } from '#plugins/columns-basic/shared';
import { defineColumnType, parseText, type ColumnTypeDefinition } from '@trellis/sdk/shared';

type Part = 'id' | 'label' | 'description' | 'icon' | 'order' | 'examples';

function codeColumn(type: Pick<ColumnTypeDefinition<string>, Part>) {
  return defineColumnType<string>({
    ...type,
    storage: 'string',
    accepts: ['string', 'text'],
    fallback: 'SingleLineText',
    operators: textOperators,
    parse: (input) => {
      const read = parseText(input);
      return read.ok && read.value !== null ? { ok: true, value: read.value.trim() } : read;
    },
    format: (value) => (value === null ? '' : String(value)),
    invalid: [{ a: 1 }, 'a\u0000b'],
    width: 200,
  });
}

/** A text that is drawn as a bar code. */
export const barcode = codeColumn({
  id: 'Barcode',
  label: 'Bar code',
  description: 'A text, drawn as bars.',
  icon: 'barcode',
  order: 90,
  examples: [
    { input: 'ABC-1234', value: 'ABC-1234' },
    { input: ' 4006381333931 ', value: '4006381333931' },
    { input: null, value: null },
  ],
});

/** A text that is drawn as a QR code: an address, a serial number. */
export const qrCode = codeColumn({
  id: 'QrCode',
  label: 'QR code',
  description: 'A text, drawn for the camera of a phone.',
  icon: 'qrcode',
  order: 92,
  examples: [
    { input: 'https://example.com/a?b=c', value: 'https://example.com/a?b=c' },
    { input: 'Grüße', value: 'Grüße' },
    { input: null, value: null },
  ],
});
