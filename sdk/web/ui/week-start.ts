interface Week {
  /** 1 for Monday, 7 for Sunday. */
  readonly firstDay: number;
  readonly weekend?: readonly number[];
}

/** The browsers' data about weeks, in one of two forms. */
interface LocaleOfWeeks {
  readonly weekInfo?: Week;
  getWeekInfo?(): Week;
}

function weekOf(language: string | undefined): Week | undefined {
  const spoken = navigator.languages.find((each) => each.split('-')[0] === language?.split('-')[0]);
  const locale = new Intl.Locale(spoken ?? language ?? 'en') as LocaleOfWeeks;
  return locale.getWeekInfo?.() ?? locale.weekInfo;
}

/** The first day of the week where a language is spoken, 0 for Sunday; Monday if the browser does not know. @public */
export function firstDayOfWeek(language: string | undefined): number {
  return (weekOf(language)?.firstDay ?? 1) % 7;
}

/** The weekend where a language is spoken, 0 for Sunday; Saturday and Sunday if the browser does not know. @public */
export function weekendDays(language: string | undefined): ReadonlySet<number> {
  return new Set((weekOf(language)?.weekend ?? [6, 7]).map((day) => day % 7));
}
