export {
  fold,
  longestTitle,
  mostOptions,
  optionOf,
  optionsProblem,
  withOption,
  type SelectOption,
  type SelectOptions,
} from './options.ts';
export { selectOperators } from './operators.ts';
export { multiSelect, singleSelect, titlesOf } from './selects.ts';
