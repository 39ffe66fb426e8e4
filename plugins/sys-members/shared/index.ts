export * from './addresses.ts';
export * from './custom-roles.ts';
export * from './entities.ts';
