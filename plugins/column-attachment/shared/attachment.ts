import { defineColumnType } from '@trellis/sdk/shared';
import { cellOf, filesOf, readFiles, textOf } from './attachments.ts';
import { anyFile, countProblem, optionsProblem, optionsSchema, type AttachmentOptions } from './options.ts';

/** Files. The cell is the JSON text of their list. */
export const attachment = defineColumnType<string, AttachmentOptions>({
  id: 'Attachment',
  label: 'Attachment',
  description: 'Pictures, documents and other files.',
  icon: 'paperclip',
  storage: 'text',
  accepts: ['text', 'string', 'json'],
  fallback: 'LongText',
  takesDefault: false,
  storesOwnText: true,
  operators: ['null', 'notnull', 'like', 'nlike'],
  order: 56,
  options: { schema: optionsSchema, defaults: anyFile },
  checkOptions: optionsProblem,
  parse: (input) => {
    const read = readFiles(input);
    return read.ok ? { ok: true, value: cellOf(read.value ?? []) } : read;
  },
  validate: (value, { options }) => countProblem(filesOf(value), options),
  // Values of other programs stay visible.
  format: (value) => {
    const files = filesOf(value);
    return files.length > 0 || value === null ? textOf(files) : String(value);
  },
  guess: (samples) =>
    samples.length > 0 &&
    samples.every((text) => /\(https?:\/\/[^()\s]+\)\s*$/.test(text) && readFiles(text).ok)
      ? 0.95
      : 0,
  examples: [
    {
      input: [{ url: 'https://example.com/a.png', title: 'A, b (2).png', colour: 'red' }],
      value: '[{"url":"https://example.com/a.png","title":"A, b (2).png"}]',
    },
    {
      input: 'a.pdf(https://example.com/1.pdf), b(https://example.com/2)',
      value:
        '[{"url":"https://example.com/1.pdf","title":"a.pdf"},{"url":"https://example.com/2","title":"b"}]',
    },
    { input: '[{"url":"https://example.com/c"}]', value: '[{"url":"https://example.com/c","title":"c"}]' },
    { input: [], value: null },
    { input: '', value: null },
    { input: null, value: null },
  ],
  invalid: [
    'a picture',
    12,
    { url: 'https://example.com/a.png' },
    [{ size: 1 }],
    // oxlint-disable-next-line no-script-url -- what must be refused
    [{ url: 'javascript:alert(1)' }],
    [{ url: 'file:///etc/passwd' }],
    [{ url: '/download/../../etc/passwd' }],
    '[{"url":',
  ],
  width: 200,
});
