export { linkActions, linkToAnotherRecord, type LinkAction, type LinkOptions } from './link.ts';
export { linkedKeysOf } from './linked-keys.ts';
export { keysIn, linkOperators, mostRows } from './operators.ts';
export {
  count,
  isCount,
  isRollupFunction,
  lookup,
  numberFunctions,
  rollup,
  rollupFunctions,
  type RollupFunction,
  type WayOptions,
} from './rollup.ts';
export { isLinkedRow, linkedRowsOf, mostInCell, nameOf, textOf, type LinkedRow } from './values.ts';
