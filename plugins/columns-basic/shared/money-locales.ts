/** One of each way of writing amounts, for the page to offer; a column may keep any other that a client sets. */
export const moneyLocales: readonly string[] = [
  'en-US',
  'en-GB',
  'en-IN',
  'de-DE',
  'de-CH',
  'fr-FR',
  'es-ES',
  'pt-BR',
  'sv-SE',
  'pl-PL',
  'ja-JP',
  'ar-EG',
];
