import { defineErrors } from '@trellis/core';

/** All reasons for refusing a plugin's archive. */
export const archiveErrors = defineErrors(
  {
    ARCHIVE_NOT_GZIP: {
      status: 400,
      message: 'This is no archive of a plugin: it is not compressed with gzip, or damaged.',
    },
    ARCHIVE_NOT_TAR: {
      status: 400,
      message: 'This is no archive of a plugin: what is compressed in it is no tar, or damaged.',
    },
    ARCHIVE_TOO_LARGE: {
      status: 400,
      message: 'Unpacked, the archive has more than {limit} bytes; a plugin may have no more.',
    },
    ARCHIVE_TOO_MANY_FILES: {
      status: 400,
      message: 'The archive holds more than {limit} files; a plugin may have no more.',
    },
    ARCHIVE_TOO_SLOW: {
      status: 400,
      message: 'The archive took longer than {seconds} seconds to read and was given up.',
    },
    ARCHIVE_PATH: {
      status: 400,
      message:
        "The archive holds '{path}', a path that leads out of its folder or that some systems refuse. Tell its author.",
    },
    ARCHIVE_KIND: {
      status: 400,
      message: "'{path}' in the archive is a {kind}; the archive of a plugin holds plain files alone.",
    },
    ARCHIVE_TWICE: { status: 400, message: "The archive holds '{path}' twice." },
    ARCHIVE_TWINS: {
      status: 400,
      message: "'{path}' and '{other}' in the archive are one and the same file on some systems.",
    },
    ARCHIVE_NO_MANIFEST: {
      status: 400,
      message: 'The archive has no plugin.json at its root, so it is no plugin.',
    },
    ARCHIVE_NO_CHECKSUMS: {
      status: 400,
      message: 'The archive has no checksums.json; pack the plugin with "trellis-plugin pack".',
    },
    ARCHIVE_JSON: { status: 400, message: "'{path}' in the archive cannot be read: {reason}." },
    ARCHIVE_JSON_TOO_LARGE: {
      status: 400,
      message: "'{path}' in the archive has more than {limit} bytes; no plugin needs as many there.",
    },
    ARCHIVE_FILE_MISSING: {
      status: 400,
      message: "The archive lacks '{path}', which its checksums name; get it again.",
    },
    ARCHIVE_FILE_EXTRA: {
      status: 400,
      message: "The archive holds '{path}', which its checksums do not name: somebody may have added it.",
    },
    ARCHIVE_FILE_CHANGED: {
      status: 400,
      message:
        "'{path}' in the archive is not what its checksum says: it is damaged, or somebody changed it.",
    },
    ARCHIVE_SIGNATURE: {
      status: 400,
      message:
        'The signature of the archive is not right: it is damaged, or somebody changed it after it was signed.',
    },
  },
  'sdk/build/archive',
);
