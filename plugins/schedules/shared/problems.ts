/** The messages under the fields of a schedule that cannot be saved. */
export const problemWords = {
  name: 'Please give a name of at most 120 characters, without control characters.',
  action: 'Please choose what is done.',
  table: 'Please choose a table.',
  settings: 'These settings are too long.',
  to: 'Please write addresses of mailboxes, separated by commas.',
  many: 'At most 20 addresses are mailed to.',
  noMail: 'This server sends no mail: switch a plugin for mail on first, or leave this empty.',
  address: 'Please give an address that begins with http:// or https://.',
  keep: 'Name a whole number from 1 to 200, or none.',
} as const;
