import { textColumn } from './text-column.ts';

/** A text that is covered in the page until somebody asks to see it. */
export const password = textColumn({
  id: 'Password',
  label: 'Password',
  description: 'A text that is covered until you look at it.',
  icon: 'lock',
  order: 15,
  examples: [
    { input: 'correct horse', value: 'correct horse' },
    { input: null, value: null },
  ],
  width: 160,
});
