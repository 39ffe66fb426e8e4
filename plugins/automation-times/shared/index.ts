/** The description of the trigger "A time comes". */
export const timeComes = {
  id: 'time.comes',
  label: 'A time comes',
  icon: 'clock',
  order: 50,
  inputs: [{ id: 'time', label: 'When it starts', kind: 'time', isRequired: true }],
  values: ['at'],
} as const;
