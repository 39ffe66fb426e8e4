export { CardMenu, type CardMenuProps, type CardMenuRequest } from './CardMenu.tsx';
export { CardOption, CardOptions, type CardOptionsProps } from './CardOptions.tsx';
export { cardHeight, useCardFields, type CardField, type CardFields, type CardLook } from './card-fields.ts';
export {
  datedColumn,
  dayAfter,
  daysOfRow,
  isDated,
  moveToDays,
  moveToValues,
  nowIn,
  rulesOfDays,
  rulesOfNoDay,
  timesOfRow,
  valuesOfDays,
  valuesOfTimes,
  type DatedColumn,
  type DateRange,
  type DaySpan,
  type TimeSpan,
} from './day-spans.ts';
export { CardTick, type CardTickProps } from './CardTick.tsx';
export { NearestEntry, type NearestEntryProps } from './NearestEntry.tsx';
export { NewCard, type NewCardProps } from './NewCard.tsx';
export { RowCard, type RowCardProps } from './RowCard.tsx';
export { SelectionBar, type SelectionBarProps } from './SelectionBar.tsx';
export { useCardCommands, type CardCommands } from './card-commands.ts';
export { useCardRows, type CardRows, type CardRowsOptions } from './use-card-rows.ts';
export { useCardSelection, type CardSelection } from './use-card-selection.ts';
export { useLongList, type LongList } from './use-long-list.ts';
