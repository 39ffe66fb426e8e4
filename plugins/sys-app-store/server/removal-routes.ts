import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  defineRoute,
  PluginInstallerToken,
  RouteAnswer,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { changeStarter, type Removal } from './change-tasks.ts';
import { installRouteErrors } from './install-routes.ts';
import { pluginAccess } from './plugin-access.ts';
import { downloadedData, putBackData } from './plugin-deeds.ts';
import { columnRelease } from './release-column.ts';

interface RemovalBody {
  readonly cascade?: readonly string[];
  readonly keepData?: boolean;
  readonly leaveColumns?: boolean;
  readonly releaseColumns?: boolean;
}

/** It is read as a whole, since it is put back as a whole. */
const largestData = 100 * 1024 * 1024;

/** Calls that take installed plugins away, one step at a time: look, save the data, change the columns, remove. */
export function removalRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const installer = ctx.get(PluginInstallerToken);
  const plugins = pluginAccess(ctx);
  const releaseColumn = columnRelease(ctx);
  const change = changeStarter(ctx);
  const path = '/api/v1/app-store/plugins/:id';

  return [
    defineRoute({
      method: 'GET',
      path: `${path}/removal`,
      permission: 'pluginInstall',
      summary: 'What removing a plugin would take along',
      handle: ({ params }) => installer.planRemoval(plugins.find(params.id).id),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/data`,
      permission: 'pluginInstall',
      summary: 'What a plugin keeps in tables of its own, as JSON',
      seconds: 600,
      handle: async (request) => {
        const plugin = plugins.find(request.params.id);
        // Asked before the answer begins, so that a refusal is one.
        await installer.planRemoval(plugin.id);
        await plugins.record(request, downloadedData, plugin);
        return new RouteAnswer({
          headers: {
            'content-type': 'application/json; charset=utf-8',
            'content-disposition': `attachment; filename="${plugin.id}-data.json"`,
          },
          body: Readable.from(installer.dataOf(plugin.id)),
        });
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/data`,
      bodyKind: 'multipart',
      bodyLimit: largestData,
      permission: 'pluginInstall',
      summary: 'Put back what was saved of the tables of a plugin, in place of what they hold',
      seconds: 600,
      handle: async (request) => {
        const plugin = plugins.find(request.params.id);
        // What is built in has no data of its own to be taken away either.
        await installer.planRemoval(plugin.id);
        const [file, ...others] = request.files ?? [];
        if (file === undefined || others.length > 0) throw installRouteErrors.create('PLUGIN_NO_ARCHIVE');
        await installer.restoreData(plugin.id, await readFile(file.path, 'utf8'));
        await plugins.record(request, putBackData, plugin);
        return {};
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, { readonly column: string }>({
      method: 'POST',
      path: `${path}/release-column`,
      permission: 'pluginInstall',
      summary:
        'Change a column of its types into the type that it falls back to; one that has another type already stays',
      seconds: 600,
      schemas: {
        body: {
          type: 'object',
          required: ['column'],
          properties: { column: { type: 'string', maxLength: 60 } },
        },
      },
      unknownKeys: 'refuse',
      handle: async (request) => {
        const plugin = plugins.find(request.params.id);
        const columns = await installer.columnsToRelease(plugin.id);
        const column = columns.find((of) => of.id === request.body.column);
        if (column === undefined) return { left: columns.length };
        await releaseColumn(request, plugin, column);
        return { left: columns.length - 1, changed: column };
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, RemovalBody | undefined>({
      method: 'POST',
      path: `${path}/remove`,
      permission: 'pluginInstall',
      summary:
        'Remove an installed plugin with its settings, and its own data unless that is kept, as a task, and wait for its end',
      seconds: 600,
      schemas: {
        body: {
          type: ['object', 'null'],
          properties: {
            cascade: { type: 'array', maxItems: 1000, items: { type: 'string', maxLength: 100 } },
            keepData: { type: 'boolean' },
            leaveColumns: { type: 'boolean' },
            releaseColumns: { type: 'boolean' },
          },
        },
      },
      unknownKeys: 'refuse',
      handle: async (request) => {
        const plugin = plugins.find(request.params.id);
        const { id, name, version } = plugin;
        const { body } = request;
        const { cascade = [], keepData = false, leaveColumns = false, releaseColumns = false } = body ?? {};
        await change<Removal>(request, 'remove', {
          id,
          name,
          version,
          ip: request.ip,
          cascade,
          keepData,
          leaveColumns,
          releaseColumns: releaseColumns && !leaveColumns,
        });
        return {};
      },
    }),
  ];
}
