import { defineErrors } from '@trellis/core';

export const fileErrors = defineErrors({
  FILE_UNKNOWN: { status: 404, message: 'There is no such file.' },
  FILE_TOO_LARGE: { status: 413, message: 'The file is larger than {limit} bytes.' },
  FILE_COPY_DIFFERS: {
    status: 502,
    message: 'A file was copied, and the copy is not the same. The file stays where it is.',
  },
  STORAGE_ABSENT: {
    status: 503,
    message:
      "This file is kept by '{adapter}', which is switched off or not set up. It can be read again once that is on.",
  },
});
