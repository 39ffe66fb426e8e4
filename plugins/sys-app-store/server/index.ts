import { defineServerPlugin } from '@trellis/sdk/server';
import { appStoreRoutes } from './app-store-routes.ts';
import { changeTasks } from './change-tasks.ts';
import { contractRoutes } from './contract-routes.ts';
import { developmentMistakes } from './development-mistakes.ts';
import { developmentRoutes } from './development-routes.ts';
import { installRoutes } from './install-routes.ts';
import { removalRoutes } from './removal-routes.ts';
import { taskRoutes } from './task-routes.ts';
import { webHalfRoutes } from './web-half-routes.ts';
import type { StoreSettings } from './publishers.ts';

export default defineServerPlugin<StoreSettings>({
  setup(ctx) {
    // Plugins run with the host's rights, so only the super admin sees and switches them.
    for (const [id, label] of [
      ['pluginList', 'List plugins'],
      ['pluginRead', 'Read a plugin'],
      ['pluginUpdate', 'Switch plugins on and off, and change their settings'],
      ['pluginInstall', 'Install, update and remove plugins'],
      ['pluginTest', 'Try the settings of a plugin'],
    ] as const) {
      ctx.register('permissions', { id, label, roles: [], scope: 'account' });
    }
    ctx.register('permissions', {
      id: 'isPluginActive',
      label: 'Ask whether a plugin is on',
      roles: ['user', 'user_new'],
      scope: 'account',
    });
    for (const kind of changeTasks(ctx)) ctx.register('taskKinds', kind);
    ctx.routes(
      ...appStoreRoutes(ctx),
      ...installRoutes(ctx),
      ...developmentRoutes(ctx),
      ...developmentMistakes(ctx),
      ...removalRoutes(ctx),
      ...taskRoutes(ctx),
      ...contractRoutes(ctx),
      ...webHalfRoutes(ctx),
    );
  },
});
