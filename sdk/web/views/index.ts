export { columnsAsked } from './columns-asked.ts';
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
export { figureText, suitsFigure } from './figure-text.ts';
export { FieldEditor, type FieldEditorProps, type FieldPlace } from './FieldEditor.tsx';
export { FilterEditor, type FilterEditorProps } from './FilterEditor.tsx';
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
  useSearchRules,
  type RowSearch,
} from './row-search.ts';
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
export { useSaveViewOptions } from './use-save-view-options.ts';
export { useViewColumns, useViewOptions, type ViewColumn, type ViewColumns } from './use-view-columns.ts';
