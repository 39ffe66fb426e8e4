export * from './filter-predicate.ts';
export * from './meets.ts';
export * from './meets-filters.ts';
