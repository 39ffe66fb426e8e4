import { defineFormulaFunction } from '@trellis/sdk/shared';

export const initial = defineFormulaFunction({
  id: 'INITIAL',
  group: 'Texts',
  parameters: [{ name: 'text', takes: 'text' }],
  result: 'text',
  summary: 'The first letter of a text, as a capital.',
  example: 'INITIAL("ada")',
  build: (values) => ({ kind: 'call', function: 'ACME_INITIAL', arguments: values }),
  run: ([text]) => (Array.from(text as string)[0] ?? '').toUpperCase(),
});
