export { linkToAnotherRecord } from './link.ts';
export {
  count,
  isRollupFunction,
  lookup,
  numberFunctions,
  rollup,
  rollupFunctions,
  type RollupFunction,
} from './rollup.ts';
export { isLinkedRow, linkedRowsOf, nameOf, textOf, type LinkedRow } from './values.ts';
