export { inject, injectable } from 'inversify';
export { Container, type ServiceFactory, type ServiceProvider } from './container.ts';
export { createToken, tokenName, type Token } from './token.ts';
