import { defineErrors } from '@trellis/core';

/** What whoever looks for a project hears in each room above. */
export const projectErrors = defineErrors({
  PROJECT_NOT_FOUND: { status: 404, message: 'Project not found' },
});
