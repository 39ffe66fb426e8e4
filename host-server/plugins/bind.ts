import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ErrorBudget, later, longestHook, recordErrorOrigin, type Container } from '@trellis/core';
import {
  AccountStoreToken,
  AuditLogToken,
  PluginInstallerToken,
  RateLimiterToken,
  SecretsToken,
  ServerInfoToken,
  ServersToken,
  TasksToken,
  ViewStoreToken,
} from '@trellis/sdk/server';
import { PluginUnitsToken } from '../access/tokens.ts';
import { PluginUnitToken } from '../schema/tokens.ts';
import { HostLiveChannelToken } from '../changes/tokens.ts';
import { RouteTableToken } from '../http/tokens.ts';
import { MetadataToken } from '../metadata/tokens.ts';
import { HostRowStoreToken } from '../rows/tokens.ts';
import {
  ConfigToken,
  HooksToken,
  KnownSecretsToken,
  LoggerToken,
  PluginErrorsToken,
  RegistriesToken,
  registryToken,
} from '../runtime/tokens.ts';
import { findModuleLocations } from './locate-modules.ts';
import { stoppedPluginFile } from './stopped-plugin.ts';
import { pluginUnit, unitOf } from './plugin-database.ts';
import { createPluginService } from './plugin-service.ts';
import { createPluginSettingsStore } from './plugin-settings.ts';
import { createServerHooks } from './server-hooks.ts';
import { createServerRegistries, serverRegistryIds } from './server-registries.ts';
import {
  ErrorBudgetToken,
  ModuleLocationsToken,
  PluginOptionsToken,
  PluginServiceToken,
  PluginSettingsToken,
} from './tokens.ts';

/** Binds hooks, registries and the plugins themselves. */
export function bindPlugins(container: Container): void {
  container.bind(ErrorBudgetToken, { needs: {}, make: () => new ErrorBudget() });
  container.bind(ModuleLocationsToken, { needs: {}, make: () => findModuleLocations() });
  container.bind(PluginUnitsToken, { value: unitOf });
  container.bind(PluginUnitToken, { value: pluginUnit });
  bindExtensionPoints(container);
  container.bind(ServerInfoToken, {
    needs: { config: ConfigToken, locations: ModuleLocationsToken },
    make: async ({ config, locations }) => {
      const { siteUrl, safeMode, pluginsLocked, pluginsInDevelopment, pluginIndex, changeDays, database } =
        config;
      return {
        version: await readVersion(locations.root),
        siteUrl,
        safeMode,
        pluginsLocked,
        pluginsInDevelopment,
        ...(pluginIndex !== undefined && { pluginIndex }),
        changeDays,
        metadataDialect: database.kind,
        inContainer: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
      };
    },
  });
  container.bind(PluginSettingsToken, {
    needs: {
      metadata: MetadataToken,
      secrets: SecretsToken,
      logger: LoggerToken,
      knownSecrets: KnownSecretsToken,
    },
    make: createPluginSettingsStore,
    dispose: (settings) => settings.dispose(),
  });
  bindPluginService(container);
}

function bindExtensionPoints(container: Container): void {
  container.bind(PluginErrorsToken, {
    needs: { budget: ErrorBudgetToken, plugins: later(PluginServiceToken) },
    make: ({ budget, plugins }) => ({
      report: (owner, where, error) => plugins().onError(owner, where, error),
      charge(item, error) {
        // The error already refuses the plugin that called the item, which must not be charged for it as well.
        recordErrorOrigin(error, { owner: item.owner, where: item.description });
        // A page of rows may fail at each of its cells. An item that is already suspended is not reported again.
        if (budget.suspendedOf(item.owner).includes(item.description)) return;
        budget.charge(item, error);
        plugins().onError(item.owner, item.description, error);
      },
    }),
  });
  container.bind(HooksToken, {
    needs: { budget: ErrorBudgetToken, errors: PluginErrorsToken, plugins: later(PluginServiceToken) },
    make: ({ budget, errors, plugins }) =>
      createServerHooks({
        budget,
        limit: longestHook,
        onContained: (error, owner, hook) => errors.report(owner, hook, error),
        nameOf: (owner) => plugins().nameOf(owner),
      }),
  });
  container.bind(RegistriesToken, {
    needs: { errors: PluginErrorsToken, plugins: later(PluginServiceToken) },
    make: ({ errors, plugins }) =>
      createServerRegistries(errors, {
        isLimited: (id) => !plugins().isBuiltIn(id),
        nameOf: (id) => plugins().nameOf(id),
      }),
  });
  for (const id of serverRegistryIds) {
    container.bind(registryToken(id), {
      needs: { registries: RegistriesToken },
      make: ({ registries }) => registries.get(id) as never,
    });
  }
}

function bindPluginService(container: Container): void {
  container.bind(PluginServiceToken, {
    needs: {
      metadata: MetadataToken,
      servers: ServersToken,
      hooks: HooksToken,
      registries: RegistriesToken,
      routes: RouteTableToken,
      settings: PluginSettingsToken,
      locations: ModuleLocationsToken,
      options: PluginOptionsToken,
      budget: ErrorBudgetToken,
      logger: LoggerToken,
      knownSecrets: KnownSecretsToken,
      config: ConfigToken,
      info: ServerInfoToken,
      live: HostLiveChannelToken,
      // Services that plugins get by `ctx.get` are made before the plugins and disposed after them.
      rows: HostRowStoreToken,
      views: ViewStoreToken,
      accounts: AccountStoreToken,
      limiter: RateLimiterToken,
      audit: AuditLogToken,
      tasks: TasksToken,
    },
    make: ({ hooks, live, locations, options, logger, config, info, ...needed }) =>
      createPluginService({
        ...needed,
        container,
        hooks,
        locations,
        logger,
        places: {
          builtInFolder: options.folder ?? join(locations.root, 'plugins'),
          installedFolder: join(config.dataDir, 'plugins'),
          given: options.given,
        },
        stoppedFile: stoppedPluginFile(config.dataDir),
        version: info.version,
        loggerFor: (plugin) => logger.child({ plugin }),
        locked: config.pluginsLocked,
        enabledByOperator: config.pluginsEnabled,
        drainMs: options.drainMs,
        heldMemory: options.heldMemory,
        onDidChange: ({ id, state, generation }) => {
          live.publish({ kind: 'plugins', generation });
          void hooks.call('plugins.didChange', { id, state, generation });
        },
      }),
    dispose: (plugins) => plugins.stop(),
  });
  container.bind(PluginInstallerToken, {
    needs: { plugins: PluginServiceToken },
    make: ({ plugins }) => plugins.installer,
  });
}

async function readVersion(root: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}
