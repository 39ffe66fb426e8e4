export * from './container/index.ts';
export * from './errors/index.ts';
export * from './hooks/index.ts';
export * from './lifecycle/index.ts';
export * from './plugins/index.ts';
export * from './registry/index.ts';
export * from './settings/index.ts';
