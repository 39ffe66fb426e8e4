export { columnsAsked } from './columns-asked.ts';
export { DaysBar, type DaysBarProps } from './DaysBar.tsx';
export { effectiveRules } from './effective-rules.ts';
export { ExportButton, type ExportButtonProps } from './ExportButton.tsx';
export {
  countEffective,
  isSameTree,
  newCondition,
  operatorOf,
  toFilterBody,
  toFilterNode,
  withSavedIds,
} from './filter-tree.ts';
export { isSortable } from './is-sortable.ts';
export { figureText, suitsFigure } from './figure-text.ts';
export { useLockReason } from './lock-reason.ts';
export { FieldEditor, type FieldEditorProps, type FieldPlace } from './FieldEditor.tsx';
export { FilterEditor, type FilterEditorProps } from './FilterEditor.tsx';
export { MoreRows, type MoreRowsProps } from './MoreRows.tsx';
export type { OffersComparison } from './offered.ts';
export { OwnPart, type OwnPartProps } from './OwnPart.tsx';
export {
  OwnLookContext,
  isPlainLook,
  plainLook,
  useNewOwnLook,
  useOwnLook,
  useOwnRules,
  useOwnSorts,
  useShownViewOptions,
  type OwnLook,
  type OwnLookParts,
} from './own-look.ts';
export {
  RowSearchContext,
  useNewRowSearch,
  useRowSearch,
  searchRules,
  useSearchRules,
  type RowSearch,
} from './row-search.ts';
export { RowFinder, type RowFinderProps } from './RowFinder.tsx';
export { RowPicker, type RowPickerProps } from './RowPicker.tsx';
export { useFoundRows, type FoundRows } from './use-found-rows.ts';
export {
  rowColorAttributes,
  useRowColors,
  type RowColorAttributes,
  type ViewRowColors,
} from './row-colors.ts';
export { shownColumns, type ShownColumn } from './shown-columns.ts';
export { GroupEditor, mostGroups, SortEditor, type SortEditorProps } from './SortEditor.tsx';
export { useClearFilters } from './use-clear-filters.ts';
export { useDraft, type DraftOptions } from './use-draft.ts';
export { useViewAddition, type KeptAddition } from './use-view-addition.ts';
export { useSaveViewOptions, type ViewOptionsChange } from './use-save-view-options.ts';
export { useShownUntilRead } from './use-shown-until-read.ts';
export { ViewFailure, type ViewFailureProps } from './ViewFailure.tsx';
export { useViewColumns, useViewOptions, type ViewColumn, type ViewColumns } from './use-view-columns.ts';
