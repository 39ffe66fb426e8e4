import { defineErrors } from '@trellis/sdk/shared';

export const commentErrors = defineErrors({
  COMMENT_EMPTY: { status: 400, message: 'A comment needs a text' },
  COMMENT_LONG: { status: 400, message: 'A comment has at most {limit} characters' },
  COMMENT_NOT_FOUND: { status: 404, message: 'Comment not found' },
  COMMENT_NOT_OWN: { status: 403, message: 'Only who wrote a comment may change it' },
  COMMENT_ROW_NOT_FOUND: { status: 404, message: 'Not found' },
  COMMENT_KEY_LONG: { status: 400, message: 'The key of this row is too long to be commented on' },
});
