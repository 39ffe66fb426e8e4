export * from './addresses.ts';
export * from './entities.ts';
