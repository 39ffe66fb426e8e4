import { defineViewType } from '@trellis/sdk/shared';

/** What its views keep: both halves know it, and the page makes a form of the schema. */
export const myPlugin = defineViewType({
  // Stored with every view of this type, so it never changes.
  id: 'myPlugin',
  label: 'My plugin',
  options: {
    type: 'object',
    properties: {
      most: { type: 'integer', title: 'Cards at most', minimum: 1, maximum: 200, default: 50 },
    },
  },
});
