import { defineViewType } from '@trellis/sdk/shared';

/** The stored options of a gallery. */
export type GalleryOptions = {
  /**
   * The column whose first picture is the cover; empty for none. By default, the first column with pictures is used once a row has
   * some.
   */
  readonly coverId?: string;
  /** Whether a picture fills the cover, or is shown whole. */
  readonly coverFit: 'cover' | 'contain';
  readonly cardSize: 'small' | 'medium' | 'large';
  /** Whether cards show the names of the fields. */
  readonly showsNames: boolean;
};

/** The view type `gallery`. */
export const galleryView = defineViewType({
  id: 'gallery',
  label: 'Gallery',
  sharing: {
    visitors: 'read',
    word: 'gallery',
    needs: ({ coverId }) => (typeof coverId === 'string' && coverId !== '' ? [coverId] : []),
  },
  ownOptions: ['coverId', 'coverFit', 'cardSize', 'showsNames'],
  options: {
    type: 'object',
    properties: {
      coverId: { type: 'string', title: 'Cover', maxLength: 40, 'x-ui': { hidden: true } },
      coverFit: {
        type: 'string',
        title: 'Pictures',
        enum: ['cover', 'contain'],
        default: 'cover',
        'x-ui': { hidden: true },
      },
      cardSize: {
        type: 'string',
        title: 'Card size',
        enum: ['small', 'medium', 'large'],
        default: 'medium',
        'x-ui': { hidden: true },
      },
      showsNames: {
        type: 'boolean',
        title: 'Names of fields',
        default: true,
        'x-ui': { hidden: true },
      },
    },
  },
});
