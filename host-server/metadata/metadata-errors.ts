import { defineErrors } from '@trellis/core';

export const metadataErrors = defineErrors({
  METADATA_NEWER: {
    status: 500,
    message:
      'The metadata was written by {writer}, and this is {reader}, which does not know {migration}. Start that version or a newer one; nothing was changed.',
  },
  METADATA_CHANGED: {
    status: 500,
    message:
      'The migration {migration} is not the one that this database was made with. Start the version that made it; nothing was changed.',
  },
  METADATA_NOT_CARRIED: {
    status: 500,
    message:
      'Of the former changes and audit entries {carried} were carried over, and there are {found}. Nothing was deleted; please start again, and report this if it stays so.',
  },
});
