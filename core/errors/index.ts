export { ErrorBudget, type BudgetSubject, type ErrorBudgetOptions, type Exhaustion } from './error-budget.ts';
export {
  defineErrors,
  ErrorCatalogue,
  type ErrorDefinition,
  type ErrorDefinitions,
  type ErrorParamsOf,
} from './error-catalogue.ts';
export { errorOrigin, rowErrorOrigin, type ErrorOrigin } from './error-origin.ts';
export {
  isExpected,
  TrellisError,
  Veto,
  type ErrorParams,
  type TrellisErrorOptions,
} from './trellis-error.ts';
