export * from './batcher.ts';
export * from './event-payload.ts';
export * from './meets-change.ts';
