/** The choice that asks for a time in cron notation. */
export const anotherTime = 'cron';

/** What the trigger "A time comes" looks like. */
export const timeComes = {
  id: 'time.comes',
  label: 'A time comes',
  icon: 'clock',
  order: 50,
  inputs: [
    {
      id: 'every',
      label: 'How often',
      kind: 'choice',
      isRequired: true,
      initial: '0 8 * * *',
      options: [
        { value: '0 * * * *', label: 'Every hour' },
        { value: '0 8 * * *', label: 'Every day at 8:00' },
        { value: '0 8 * * 1-5', label: 'Every weekday at 8:00' },
        { value: '0 8 * * 1', label: 'Every Monday at 8:00' },
        { value: '0 8 1 * *', label: 'On the first of each month at 8:00' },
        { value: anotherTime, label: 'At another time' },
      ],
    },
    {
      id: 'cron',
      label: 'Time in cron notation',
      kind: 'text',
      placeholder: '30 6 * * 1-5',
      help: 'Minute, hour, day of the month, month and day of the week.',
      when: { input: 'every', is: anotherTime },
    },
    { id: 'timeZone', label: 'Time zone', kind: 'text', initial: 'UTC', placeholder: 'Europe/Berlin' },
  ],
  values: ['at'],
} as const;
