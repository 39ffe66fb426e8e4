import { defineErrors } from '@trellis/core';

export const metadataErrors = defineErrors({
  METADATA_NEWER: {
    status: 500,
    message:
      'The metadata was written by a newer Trellis (it knows {migration}, this one does not). Start that version or a newer one; nothing was changed.',
  },
  METADATA_CHANGED: {
    status: 500,
    message:
      'The migration {migration} is not the one that this database was made with. Start the version that made it; nothing was changed.',
  },
  LEASE_LOST: { status: 503, message: 'Another server took over {name}. Please try again.' },
});
