export * from './ActionMenu.tsx';
export * from './api.ts';
export * from './context.ts';
export * from './create-registries.ts';
export * from './hooks-catalogue.ts';
export * from './host.tsx';
export * from './registries.ts';
export * from './services.ts';
