export * from './describe-column-type.ts';
export * from './describe-column-types.ts';
export * from './describe-plugin.ts';
export * from './receiver.ts';
export * from './test-client.ts';
export * from './test-server.ts';
export * from './test-plugin.ts';
export * from './test-service.ts';
