import { textColumn } from './text-column.ts';

/** A text that the page hides until somebody reveals it. */
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
