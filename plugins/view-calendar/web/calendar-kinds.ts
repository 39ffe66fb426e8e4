import type { Translate } from '@trellis/sdk/web';

/** The kinds of display, by FullCalendar's names: weeks and days have hours if entries have times. */
export function kindsOf(hasTimes: boolean, t: Translate): readonly { value: string; label: string }[] {
  const [week, day] = hasTimes
    ? (['timeGridWeek', 'timeGridDay'] as const)
    : (['dayGridWeek', 'dayGridDay'] as const);
  return [
    { value: 'dayGridMonth', label: t('Month') },
    { value: week, label: t('Week') },
    { value: day, label: t('Day') },
    { value: 'listMonth', label: t('Agenda') },
  ];
}
