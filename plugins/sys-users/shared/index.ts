export * from './invitation.ts';
export * from './password-strength.ts';
