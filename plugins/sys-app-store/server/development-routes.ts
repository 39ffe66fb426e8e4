import { createReadStream } from 'node:fs';
import {
  defineRoute,
  PluginInstallerToken,
  ServerInfoToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { askedItems, defineErrors, isDevelopmentVersion } from '@trellis/sdk/shared';
import { changeStarter, type Installation } from './change-tasks.ts';
import { installRouteErrors, largestArchive } from './install-routes.ts';
import { pluginAccess } from './plugin-access.ts';
import { assertPublisher, offered, type StoreSettings } from './publishers.ts';

const developmentErrors = defineErrors({
  PLUGIN_DEV_OFF: {
    status: 403,
    message:
      'This server takes no plugins in development; its operator allows that by TRELLIS_PLUGINS_DEV=1, which is for servers to try things out on.',
  },
  PLUGIN_NOT_DEV: {
    status: 400,
    message:
      "Version {version} of '{plugin}' is none in development, such as {version}-dev.1; a released version is installed on the page of the app store.",
  },
  PLUGIN_DEV_CONSENT: {
    status: 409,
    message: "'{plugin}' asks for what nobody has agreed to yet; agree to that with --agree: {items}",
  },
});

/** Takes what an author works on: brought and installed in one call, where the operator allows that. */
export function developmentRoutes(ctx: ServerPluginContext<StoreSettings>): readonly RouteDefinition[] {
  const info = ctx.get(ServerInfoToken);
  const installer = ctx.get(PluginInstallerToken);
  const plugins = pluginAccess(ctx);
  const change = changeStarter(ctx);

  return [
    defineRoute<Record<string, string>, Record<string, unknown>, { readonly agree?: 'all' }>({
      method: 'POST',
      path: '/api/v1/app-store/dev',
      bodyKind: 'multipart',
      bodyLimit: largestArchive,
      permission: 'pluginInstall',
      summary: 'Load a version in development into this server, where its operator allows that',
      seconds: 600,
      schemas: { body: { type: 'object', properties: { agree: { enum: ['all'] } } } },
      handle: async (request) => {
        if (!info.pluginsInDevelopment) throw developmentErrors.create('PLUGIN_DEV_OFF');
        const [archive, ...others] = request.files ?? [];
        if (archive === undefined || others.length > 0) throw installRouteErrors.create('PLUGIN_NO_ARCHIVE');
        const source = createReadStream(archive.path);
        const proposal = await installer.propose({ kind: 'file', archive: source, signal: request.signal });
        const { ticket, id, name, version, unagreed, formerSigner } = proposal;
        try {
          if (!isDevelopmentVersion(version))
            throw developmentErrors.create('PLUGIN_NOT_DEV', { plugin: name, version });
          assertPublisher(offered(proposal, settings()), settings());
          const items = askedItems(unagreed);
          if (items.length > 0 && request.body.agree !== 'all')
            throw developmentErrors.create('PLUGIN_DEV_CONSENT', { plugin: name, items: items.join(', ') });
          await change<Installation>(request, 'install', {
            id,
            name,
            version,
            ip: request.ip,
            ticket,
            consent: unagreed,
            // Builds of an author are not signed; whoever loads one may install what they like.
            ...(formerSigner !== undefined && { formerSigner: formerSigner.publicKey }),
          });
        } catch (error) {
          // Nobody decides about it later: the next build comes by itself.
          await installer.discard(ticket);
          throw error;
        }
        return plugins.find(id);
      },
    }),
  ];

  function settings(): StoreSettings {
    return ctx.settings.current;
  }
}
