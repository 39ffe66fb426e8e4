import {
  AccessServiceToken,
  defineServerPlugin,
  FilesToken,
  OutboundToken,
  RowStoreToken,
  SchemaStoreToken,
  ServerInfoToken,
  SharedFilesToken,
} from '@trellis/sdk/server';
import { attachment, megabyte } from '../shared/index.ts';
import { adoptFiles } from './adopt.ts';
import { admitFiles } from './admit.ts';
import { seeArrived } from './arrived-files.ts';
import { backedUpFiles } from './backed-up-files.ts';
import { cellRoutes } from './cell-routes.ts';
import { downloadRoute } from './download-route.ts';
import { fileErrors } from './file-errors.ts';
import { FileStore } from './file-store.ts';
import { HeldFiles } from './held-files.ts';
import { migrations } from './migrations.ts';
import { makePictures } from './picture-maker.ts';
import { PreviewStore } from './preview-store.ts';
import { Previews } from './previews.ts';
import { sharedFiles } from './received-files.ts';
import { sweepFiles, sweepUploads, type SweepServices } from './sweep.ts';
import { uploadRoutes } from './upload-routes.ts';
import { Uploads } from './uploads.ts';

interface AttachmentSettings {
  readonly maximumMegabytes: number;
  readonly keepDays: number;
}

export default defineServerPlugin<AttachmentSettings>({
  migrations,
  setup(ctx) {
    const settings = () => ctx.settings.current;
    const limit = () => settings().maximumMegabytes * megabyte;
    const info = ctx.get(ServerInfoToken);
    const site = () => info.siteUrl ?? '';
    const access = ctx.get(AccessServiceToken);
    const schema = ctx.get(SchemaStoreToken);
    const files = ctx.get(FilesToken);
    const store = new FileStore(ctx.db);
    const previewStore = new PreviewStore(ctx.db);
    const previews = new Previews({ files, store: previewStore, logger: ctx.logger, make: makePictures });
    const sweeping: SweepServices = {
      access,
      schema,
      files,
      store,
      previews: previewStore,
      rows: ctx.get(RowStoreToken),
      // Undo restores rows as long as changes are stored; the job that deletes changes gets another day.
      keepDays: () => Math.max(settings().keepDays, info.changeDays + 1),
    };

    ctx.register('columnTypes', {
      ...attachment,
      server: {
        admit: admitFiles(store, site),
        adopt: adoptFiles(store, site),
        leaving: () => fileErrors.create('FILES_LEFT', { days: sweeping.keepDays() }),
        files: backedUpFiles({ files, store, uploads: () => uploads }),
      },
    });
    ctx.register('permissions', { id: 'upload', label: 'Upload files', roles: ['editor'], scope: 'project' });
    ctx.register('permissions', {
      id: 'uploadViaURL',
      label: 'Have files fetched from addresses',
      roles: ['editor'],
      scope: 'project',
    });
    for (const held of ['file', 'preview'] as const) ctx.register('fileHolders', new HeldFiles(ctx.db, held));
    ctx.register('jobs', {
      id: 'column-attachment.sweep-uploads',
      every: 60 * 60,
      run: (run) => sweepUploads(sweeping, run),
    });
    ctx.register('jobs', {
      id: 'column-attachment.sweep',
      every: 7 * 24 * 60 * 60,
      seconds: 6 * 60 * 60,
      run: (run) => sweepFiles(sweeping, run),
    });
    ctx.tap('rows.didChange', (written) => seeArrived(store, written));
    // Nobody can read their bytes any more; the next sweep of uploads removes them.
    ctx.tap('projects.didPurge', ({ projectId }) => store.doomProject(projectId));
    const uploads = new Uploads({ access, schema, files, store, site, limit });
    ctx.provide(SharedFilesToken, () => sharedFiles(uploads, limit));
    ctx.routes(
      ...uploadRoutes(uploads, { outbound: ctx.get(OutboundToken), limit }),
      ...cellRoutes(sweeping.rows),
      downloadRoute({ files, store, previews, grants: ctx.registry('fileGrants') }),
    );
  },
});
