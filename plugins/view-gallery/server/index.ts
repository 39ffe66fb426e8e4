import { defineServerPlugin, viewTypePermissions, viewTypeRoutes } from '@trellis/sdk/server';
import { galleryView } from '../shared/index.ts';
import { galleryProperties, toGalleryEntity, toGalleryOptions } from './gallery-entity.ts';
import { checkGallery } from './gallery-rules.ts';

const name = 'a gallery view';

export default defineServerPlugin({
  setup(ctx) {
    for (const permission of viewTypePermissions(galleryView.id, name))
      ctx.register('permissions', permission);
    ctx.register('viewTypes', { ...galleryView, willSave: checkGallery });
    ctx.routes(
      ...viewTypeRoutes(ctx, {
        type: galleryView.id,
        plural: 'galleries',
        name,
        properties: galleryProperties,
        toEntity: toGalleryEntity,
        toOptions: toGalleryOptions,
      }),
    );
  },
});
