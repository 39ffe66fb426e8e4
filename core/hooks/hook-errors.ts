import { defineErrors } from '../errors/error-catalogue.ts';

/** Errors that refuse an operation because a plugin that must be asked did not answer properly. */
export const hookErrors = defineErrors(
  {
    HOOK_FAILED: {
      status: 500,
      message:
        "The plugin '{plugin}' failed when it was asked whether this may be done, so nothing was done. Its card in the app store says why.",
    },
    HOOK_OUT_OF_ORDER: {
      status: 503,
      message:
        "The plugin '{plugin}' fails again and again when it is asked whether this may be done, so nothing was done. An administrator can update it or switch it off in the app store.",
    },
    HOOK_TIMEOUT: {
      status: 503,
      message:
        "The plugin '{plugin}' did not say within {seconds} seconds whether this may be done, so nothing was done. Please try again.",
    },
  },
  'core/hooks',
);
