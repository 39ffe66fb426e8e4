import { guessBy, textColumn } from './text-column.ts';
import { isEmail } from './validators.ts';

/** An e-mail address; a click writes to it. */
export const email = textColumn({
  id: 'Email',
  label: 'E-mail',
  description: 'An e-mail address.',
  icon: 'envelope',
  order: 12,
  validLabel: 'Take only valid e-mail addresses',
  validator: { id: 'isEmail', accepts: isEmail, message: 'must be an e-mail address' },
  guess: guessBy(isEmail, 0.95),
  examples: [
    { input: 'ada@example.com', value: 'ada@example.com' },
    { input: '  grace@example.org ', value: 'grace@example.org' },
    { input: 'not an address', value: 'not an address' },
    { input: '', value: '' },
    { input: null, value: null },
  ],
  width: 220,
});
