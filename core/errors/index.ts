export { ErrorBudget, type BudgetSubject, type ErrorBudgetOptions, type Exhaustion } from './error-budget.ts';
export {
  defineErrors,
  type ErrorDefinition,
  type ErrorDefinitions,
  type ErrorParamsOf,
  type ErrorCatalogue,
} from './error-catalogue.ts';
export { meantInstead, nearestWord } from './nearest-word.ts';
export { errorOrigin, recordErrorOrigin, type ErrorOrigin } from './error-origin.ts';
export { messageOf, readableError } from './readable-error.ts';
export {
  isExpected,
  TrellisError,
  Veto,
  type ErrorParams,
  type TrellisErrorOptions,
  type VetoParams,
} from './trellis-error.ts';
