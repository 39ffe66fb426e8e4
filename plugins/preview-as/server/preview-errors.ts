import { defineErrors } from '@trellis/sdk/shared';

export const previewErrors = defineErrors({
  PREVIEW_ROLE_UNKNOWN: { status: 400, message: "A project cannot be looked at as '{role}'." },
  PREVIEW_OF_NOBODY: {
    status: 503,
    message: 'Who looks at the project as somebody else could not be found out; please try again.',
  },
});
