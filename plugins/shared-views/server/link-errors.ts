import { defineErrors } from '@trellis/sdk/shared';

export const linkErrors = defineErrors({
  SHARED_VIEW_NOT_FOUND: { status: 404, message: 'Not found' },
  INVALID_SHARED_VIEW_PASSWORD: { status: 403, message: 'INVALID_SHARED_VIEW_PASSWORD' },
  SHARED_VIEW_PASSWORD_LETTERS: {
    status: 400,
    message:
      'The password of a link travels in a header: it may have letters of western languages, digits and signs.',
  },
  SHARED_VIEW_PASSWORD_LENGTH: {
    status: 400,
    message: 'The password of a link has {minimum} to {maximum} characters.',
  },
  SHARED_VIEW_META_LARGE: { status: 400, message: 'What is kept of a link has at most {limit} characters.' },
  VIEW_NOT_SHARED: { status: 400, message: 'This view has no link. Share it first.' },
  VIEW_NOT_SHAREABLE: { status: 400, message: 'Views of the type {type} cannot be shared by a link.' },
  VIEW_PERSONAL: {
    status: 400,
    message: 'A personal view is its owner’s alone. Make it a collaborative one to share it by a link.',
  },
  SHARED_VIEW_DOWNLOAD: { status: 403, message: 'The link of this view does not allow downloads.' },
  SHARED_VIEW_SEARCH: { status: 403, message: 'The link of this view does not allow searches.' },
  SHARED_VIEW_PARAMETER: {
    status: 400,
    message: 'Whoever has a link asks with {known}; {parameter} is none of them.',
  },
  SHARED_VIEW_VALUE: { status: 400, message: 'The parameter {parameter} is not understood.' },
  SHARED_VIEW_COLUMN: { status: 404, message: "Column with id/name '{column}' is not found" },
  SHARED_VIEW_FORMAT: { status: 404, message: 'Not found' },
  SHARED_VIEW_LINKS: {
    status: 400,
    message: 'The rows of {column} are a list of rows by their keys, at most {limit}.',
  },
  SHARED_VIEW_LINKED_GONE: {
    status: 400,
    message: 'A row that was chosen for {column} cannot be linked any more. Choose another one.',
  },
  SHARED_VIEW_NO_FILES: { status: 400, message: 'The body must hold files.' },
  SHARED_VIEW_FILES: {
    status: 400,
    message: 'Files are sent for columns of files, of which this is none: {column}.',
  },
  SHARED_VIEW_NO_ROW: {
    status: 400,
    message: 'The body must hold the row as `data`: an object of column titles and values.',
  },
});
