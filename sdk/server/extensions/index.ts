export * from './files.ts';
export * from './listeners.ts';
export * from './mail.ts';
export * from './notifications.ts';
export * from './operations.ts';
export * from './sign-in.ts';
export * from './transfer.ts';
export * from './variables.ts';
