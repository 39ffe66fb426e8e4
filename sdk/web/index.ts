export * from './api.ts';
export * from './ask-before-leaving.ts';
export * from './attempt.ts';
export * from './CellEditor.tsx';
export * from './columns.ts';
export * from './context.ts';
export * from './contribution.tsx';
export * from './extensions/index.ts';
export * from './form-problems.ts';
export * from './framed-page.ts';
export * from './create-registries.ts';
export * from './hooks-catalogue.ts';
export * from './host.tsx';
export * from './lazy-part.ts';
export * from './kept-choice.ts';
export * from './kept-ids.ts';
export * from './keys.ts';
export * from './local-numbers.ts';
export * from './menu-actions.ts';
export * from './objects-tag.ts';
export * from './open-requests.ts';
export * from './use-refresh-while.ts';
export * from './pending-value.ts';
export * from './permissions.ts';
export * from './PickerEditor.tsx';
export * from './plugin-words.tsx';
export * from './random-key.ts';
export * from './registries.ts';
export * from './request-action.ts';
export * from './rows-by-name.ts';
export * from './services.ts';
export * from './settings-draft.ts';
export * from './size-text.ts';
export * from './tab-address.ts';
export * from './tables.ts';
export * from './unregistered.ts';
export * from './use-save.ts';
export * from './use-typed-text.ts';
export * from './visited-project.ts';
export {
  sendAsVisitor,
  useRowPanel,
  useViewFilters,
  useViewSorts,
  useVisitedView,
  visitedCall,
  VisitedViewContext,
  type VisitedView,
  type VisitLook,
} from './visited-view.ts';
