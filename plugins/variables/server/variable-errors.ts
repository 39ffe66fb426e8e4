import { defineErrors } from '@trellis/sdk/shared';

export const variableErrors = defineErrors({
  VARIABLE_NAME: {
    status: 400,
    message:
      'A name begins with a letter and has letters without accents, digits and underscores, 64 at most.',
  },
  VARIABLE_EXISTS: { status: 409, message: "There is a variable '{name}' already." },
  VARIABLE_GONE: { status: 404, message: "There is no variable '{name}' (any more)." },
  VARIABLE_SHORT: { status: 400, message: 'A secret has at least {least} characters.' },
  VARIABLE_OPENED: {
    status: 400,
    message: 'A secret is read by nobody: to make the variable an open one, give it a new value.',
  },
  VARIABLE_MANY: { status: 400, message: 'A project has at most {most} variables.' },
});
