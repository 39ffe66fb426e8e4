import { defineServerPlugin, FilesToken } from '@trellis/sdk/server';
import { moveKind } from '../shared/index.ts';
import { FileMove, type MoveContext } from './move-files.ts';
import { storageRoutes } from './storage-routes.ts';
import { Storages } from './storages.ts';

export default defineServerPlugin({
  setup(ctx) {
    const files = ctx.get(FilesToken);
    const holders = ctx.registry('fileHolders');
    const storages = new Storages({ files, holders, kv: ctx.kv });
    const services = { files, holders, count: (place: string) => storages.count(place) };

    ctx.register('permissions', {
      id: 'storageRead',
      label: 'See where files are kept',
      roles: [],
      scope: 'account',
    });
    ctx.register('permissions', {
      id: 'storageUpdate',
      label: 'Choose where files are kept, and move them',
      roles: [],
      scope: 'account',
    });
    ctx.tap('files.willPut', async (placement) => {
      const place = await storages.place(placement.ready);
      return place === undefined ? placement : { ...placement, place };
    });
    ctx.register('taskKinds', {
      id: moveKind,
      permission: 'storageUpdate',
      isLong: true,
      run: (context) => new FileMove(services, context as MoveContext).run(),
      cleanUp: (context) => new FileMove(services, context as MoveContext).cleanUp(),
    });
    ctx.routes(...storageRoutes(ctx, storages));
  },
});
