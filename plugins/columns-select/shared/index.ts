export { fold, mostOptions, optionOf, optionsProblem } from './options.ts';
export { selectOperators } from './operators.ts';
export { multiSelect, singleSelect, titlesOf } from './selects.ts';
