export { Container, type ServiceFactory, type ServiceProvider } from './container.ts';
export { every, later, type Every, type Later, type Needed, type Needs, type Recipe } from './recipe.ts';
export { createToken, tokenName, type Token } from './token.ts';
