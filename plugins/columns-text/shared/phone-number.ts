import { guessBy, textColumn } from './text-column.ts';
import { isPhone } from './validators.ts';

/** Digits with the signs that people put between them; bare digits are more likely a number. */
const written = /^(?:\+[\d\s().-]{6,24}|\(?\d{2,5}\)?[\s().-][\d\s().-]{4,20})$/;

/** A phone number; a click calls it. */
export const phoneNumber = textColumn({
  id: 'PhoneNumber',
  label: 'Phone number',
  description: 'A number to call.',
  icon: 'phone',
  order: 14,
  validLabel: 'Take only valid phone numbers',
  validator: { id: 'isMobilePhone', accepts: isPhone, isNarrow: true, message: 'must be a phone number' },
  guess: guessBy((text) => written.test(text) && text.replace(/\D/g, '').length >= 7 && !isDate(text), 0.85),
  examples: [
    { input: '+49 151 23456789', value: '+49 151 23456789' },
    { input: 13812345678, value: '13812345678' },
    { input: 'ask Ada', value: 'ask Ada' },
    { input: null, value: null },
  ],
  width: 170,
});

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(text);
}
