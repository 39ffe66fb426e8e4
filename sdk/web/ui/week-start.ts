/** What browsers know of weeks, in one of two forms. */
interface LocaleOfWeeks {
  readonly weekInfo?: { readonly firstDay: number };
  getWeekInfo?(): { readonly firstDay: number };
}

/** The day on which weeks start where a language is spoken, 0 for Sunday; Monday where the browser does not know. @public */
export function firstDayOfWeek(language: string | undefined): number {
  const spoken = navigator.languages.find((each) => each.split('-')[0] === language?.split('-')[0]);
  const locale = new Intl.Locale(spoken ?? language ?? 'en') as LocaleOfWeeks;
  return ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1) % 7;
}
