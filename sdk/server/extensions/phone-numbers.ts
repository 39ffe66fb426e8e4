import { defineErrors, type JsonSchema } from '../../shared/index.ts';

const phoneErrors = defineErrors({
  PHONE_NUMBER: { status: 400, message: "'{number}' is no phone number; write it as +491701234567." },
});

const mostNumbers = 50;

/** The setting of a channel for phone numbers: see `phoneNumbersIn`. @public */
export const phoneNumbersSchema: JsonSchema = {
  type: 'string',
  title: 'Phone numbers',
  description:
    'With their country, several with commas between: +491701234567. A placeholder can stand for them.',
  minLength: 1,
  maxLength: 2000,
};

/** The numbers in a text, each like +491701234567. @throws TrellisError 400 `PHONE_NUMBER`, final for this message only @public */
export function phoneNumbersIn(to: unknown): readonly string[] {
  const numbers = String(to)
    .split(/[,;]/)
    .map((number) => number.replace(/[\s()/-]/g, ''))
    .filter((number) => number !== '');
  const wrong = numbers.find((number) => !/^\+\d{5,20}$/.test(number));
  if (wrong !== undefined || numbers.length === 0 || numbers.length > mostNumbers)
    throw phoneErrors.create('PHONE_NUMBER', {
      number: (wrong ?? String(to)).slice(0, 40),
      final: 'message',
    });
  return numbers;
}
