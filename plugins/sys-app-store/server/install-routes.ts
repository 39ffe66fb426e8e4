import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import {
  defineRoute,
  PluginAdministrationToken,
  PluginInstallerToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { defineErrors, type JsonSchema, type PluginAsks } from '@trellis/sdk/shared';
import { changeStarter, type Installation, type Use } from './change-tasks.ts';
import { readSentFolder } from './sent-folder.ts';
import { pluginAccess } from './plugin-access.ts';
import { assertListed, createPluginIndex } from './plugin-index.ts';
import { assertPublisher, offered, type StoreSettings } from './publishers.ts';

export const installRouteErrors = defineErrors({
  PLUGIN_NO_ARCHIVE: { status: 400, message: "Send one archive of a plugin, as the field 'archive'." },
});

interface ConsentBody {
  /** What the caller was shown and agreed to. */
  readonly consent?: Partial<PluginAsks>;
}

interface InstallBody extends ConsentBody {
  /** The key of the `formerSigner` that the caller was shown, who confirms that another one signed this version. */
  readonly formerSigner?: string;
}

const items = { type: 'array', maxItems: 500, items: { type: 'string', maxLength: 500 } } as const;
export const consentSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    halves: items,
    hooks: items,
    paths: items,
    hosts: items,
    permissions: items,
    tables: items,
  },
} as const satisfies JsonSchema & { readonly properties: Readonly<Record<keyof PluginAsks, unknown>> };
export const localeQuery = {
  type: 'object',
  required: ['locale'],
  properties: { locale: { type: 'string', maxLength: 20 } },
} as const satisfies JsonSchema;
export const largestArchive = 21 * 1024 * 1024;

/** Calls that put plugins on the server; none starts a plugin that does not run. */
export function installRoutes(ctx: ServerPluginContext<StoreSettings>): readonly RouteDefinition[] {
  const administration = ctx.get(PluginAdministrationToken);
  const installer = ctx.get(PluginInstallerToken);
  const plugins = pluginAccess(ctx);
  const change = changeStarter(ctx);
  const index = createPluginIndex(ctx);
  const settings = () => ctx.settings.current;

  async function propose(kind: 'file' | 'index', archive: Readable, signal: AbortSignal) {
    return offered(await installer.propose({ kind, archive, signal }), settings());
  }

  return [
    defineRoute({
      method: 'POST',
      path: '/api/v1/app-store/proposals',
      bodyKind: 'multipart',
      bodyLimit: largestArchive,
      permission: 'pluginInstall',
      summary: 'Bring the archive of a plugin and see what it asks for; nothing of it runs',
      handle: ({ files = [], signal }) => {
        const [archive, ...others] = files;
        if (archive === undefined || others.length > 0) throw installRouteErrors.create('PLUGIN_NO_ARCHIVE');
        return propose('file', createReadStream(archive.path), signal);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v1/app-store/folder-proposals',
      bodyKind: 'multipart',
      bodyLimit: largestArchive,
      permission: 'pluginInstall',
      summary: 'Bring the built folder of a plugin and see what it asks for; nothing of it runs',
      handle: async ({ body, files = [], signal }) =>
        offered(await installer.proposeFolder(await readSentFolder(body, files), signal), settings()),
    }),
    defineRoute<
      Record<string, string>,
      Record<string, unknown>,
      { readonly id: string; readonly version: string }
    >({
      method: 'POST',
      path: '/api/v1/app-store/index/proposals',
      permission: 'pluginInstall',
      summary: 'Fetch a plugin of the index and see what it asks for; nothing of it runs',
      seconds: 120,
      schemas: {
        body: {
          type: 'object',
          required: ['id', 'version'],
          properties: { id: { type: 'string', maxLength: 60 }, version: { type: 'string', maxLength: 40 } },
        },
      },
      unknownKeys: 'refuse',
      handle: async ({ body, signal }) => {
        const found = await propose('index', await index.fetch(body.id, body.version, signal), signal);
        try {
          assertListed(body, found);
        } catch (error) {
          await installer.discard(found.ticket);
          throw error;
        }
        return found;
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/app-store/index',
      permission: 'pluginInstall',
      summary: 'What the plugin index offers, with what is installed of it',
      handle: ({ signal }) => index.list(administration.list(), signal),
    }),
    defineRoute<Record<string, string>, { readonly locale: string }>({
      method: 'GET',
      path: '/api/v1/app-store/proposals/:ticket/words',
      permission: 'pluginInstall',
      summary: 'Read what a plugin that was brought says of itself in a language',
      schemas: { query: localeQuery },
      handle: async ({ params, query }) => ({
        words: await installer.words(params['ticket'] ?? '', query.locale),
      }),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/v1/app-store/proposals/:ticket',
      permission: 'pluginInstall',
      summary: 'Give a plugin back that was brought and is not installed',
      handle: async ({ params }) => {
        await installer.discard(params.ticket ?? '');
        return {};
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, InstallBody | undefined>({
      method: 'POST',
      path: '/api/v1/app-store/proposals/:ticket/install',
      permission: 'pluginInstall',
      summary:
        'Install a plugin that was brought, as a task, and wait for its end; a new one stays off, a running one goes on in the new version',
      seconds: 600,
      schemas: {
        body: {
          type: ['object', 'null'],
          properties: { consent: consentSchema, formerSigner: { type: 'string', maxLength: 100 } },
        },
      },
      unknownKeys: 'refuse',
      handle: async (request) => {
        const ticket = request.params.ticket ?? '';
        const proposal = await installer.proposal(ticket);
        assertPublisher(proposal, settings());
        const { id, name, version } = proposal;
        const { consent = {}, formerSigner } = request.body ?? {};
        await change<Installation>(request, 'install', {
          id,
          name,
          version,
          ip: request.ip,
          ticket,
          consent,
          ...(formerSigner !== undefined && { formerSigner }),
        });
        return plugins.find(id);
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, ConsentBody & { readonly version: string }>({
      method: 'POST',
      path: '/api/v1/app-store/plugins/:id/use',
      permission: 'pluginInstall',
      summary:
        'Put another version of an installed plugin into use that lies on the server, as a task, and wait for its end',
      seconds: 600,
      schemas: {
        body: {
          type: 'object',
          required: ['version'],
          properties: { version: { type: 'string', maxLength: 40 }, consent: consentSchema },
        },
      },
      unknownKeys: 'refuse',
      handle: async (request) => {
        const { id, name } = plugins.find(request.params.id);
        const { version, consent = {} } = request.body;
        const signer = await installer.signerOf(id, version);
        assertPublisher({ name, ...(signer !== undefined && { signer }) }, settings());
        await change<Use>(request, 'use', { id, name, version, ip: request.ip, consent });
        return plugins.find(id);
      },
    }),
  ];
}
