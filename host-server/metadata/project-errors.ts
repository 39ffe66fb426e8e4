import { defineErrors } from '@trellis/core';

/** Errors about projects that several rooms throw. */
export const projectErrors = defineErrors({
  PROJECT_NOT_FOUND: { status: 404, message: 'Project not found' },
});
