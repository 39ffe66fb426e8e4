export * from './invitation.ts';
export * from './password-strength.ts';
export * from './picture.ts';
export * from './session-entity.ts';
export * from './user-entities.ts';
