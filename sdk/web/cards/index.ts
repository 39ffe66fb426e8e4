export { AddCard, type AddCardProps } from './AddCard.tsx';
export { CardMenu, type CardMenuProps, type CardMenuRequest } from './CardMenu.tsx';
export { CardOptions, type CardOptionsProps } from './CardOptions.tsx';
export { cardHeight, useCardFields, type CardField, type CardFields, type CardLook } from './card-fields.ts';
export {
  datedColumn,
  dayAfter,
  dayInSight,
  daysOfRow,
  moveToDays,
  moveToValues,
  nowIn,
  rulesOfDays,
  timesOfRow,
  valuesOfDays,
  valuesOfTimes,
  type DatedColumn,
  type DateRange,
  type DaySpan,
  type TimeSpan,
} from './day-spans.ts';
export { cardsPerLine, CardTiles, type CardTilesProps } from './CardTiles.tsx';
export { CardTick, type CardTickProps } from './CardTick.tsx';
export { NearestEntry, type NearestEntryProps } from './NearestEntry.tsx';
export { NoRows, type NoRowsProps } from './NoRows.tsx';
export { useRowName } from './row-name.ts';
export { UndatedRows, type UndatedRowsProps } from './UndatedRows.tsx';
export { RowCard, type RowCardProps } from './RowCard.tsx';
export { SelectionBar, type SelectionBarProps } from './SelectionBar.tsx';
export { useCardCommands, type CardCommands } from './card-commands.ts';
export { useCardRows, type CardRows, type CardRowsOptions } from './use-card-rows.ts';
export { useCardSelection, type CardSelection } from './use-card-selection.ts';
export { useColumnChoices, type ColumnChoice } from './use-column-choices.ts';
export { useLongList, type LongList, type LongListOptions } from './use-long-list.ts';
export { useUndatedRows, type UndatedRowsOf } from './use-undated-rows.ts';
