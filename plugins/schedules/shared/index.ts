export * from './actions.ts';
export * from './entities.ts';
export { problemWords } from './problems.ts';
export * from './restores.ts';
