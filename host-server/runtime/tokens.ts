import {
  createToken,
  type BudgetSubject,
  type HookRegistry,
  type Registries,
  type Registry,
  type Token,
} from '@trellis/core';
import {
  BackgroundToken,
  BusToken,
  type JobDefinition,
  type ServerHooks,
  type ServerRegistries,
} from '@trellis/sdk/server';
import type { HostBackground } from './background/host-background.ts';
import type { HostBus } from './bus/host-bus.ts';
import type { Config } from './config/config.ts';
import type { JobRunner } from './jobs/job-runner.ts';
import type { KnownSecrets } from './logging/known-secrets.ts';
import type { HostLogger } from './logging/logger.ts';
import type { Leases } from './leases.ts';
import type { OwnedWork } from './owned-work.ts';
import type { HostTasks } from './tasks/host-tasks.ts';
import type { TaskRows } from './tasks/task-rows.ts';
import type { TaskWorker } from './tasks/task-worker.ts';

export const ConfigToken = createToken<Config>('host.config');
export const LoggerToken = createToken<HostLogger>('host.logger');
export const KnownSecretsToken = createToken<KnownSecrets>('host.known-secrets');
export const HooksToken = createToken<HookRegistry<ServerHooks>>('host.hooks');
export const RegistriesToken = createToken<Registries<ServerRegistries>>('host.registries');
export const OwnedWorkToken = createToken<OwnedWork>('host.owned-work');
/** The background work, with the methods by which requests report. */
export const HostBackgroundToken = BackgroundToken as Token<HostBackground>;
/** The bus, with methods that only the host calls. */
export const HostBusToken = BusToken as Token<HostBus>;
export const LeasesToken = createToken<Leases>('host.leases');
/** Where this server listens; the port is undefined until it does. */
export const ListeningToken = createToken<{ port: number | undefined }>('host.listening');
export const JobRunnerToken = createToken<JobRunner>('host.job-runner');
export const TaskRowsToken = createToken<TaskRows>('host.task-rows');
export const HostTasksToken = createToken<HostTasks>('host.tasks');
export const TaskWorkerToken = createToken<TaskWorker>('host.task-worker');

/** The host's own jobs; each part of the server contributes its own. */
export const HostJobToken = createToken<JobDefinition>('host.job');

/** Receives contained errors of plugins' code, so that the app store shows them with their plugin. */
export interface PluginErrors {
  report(owner: string, where: string, error: unknown): void;
  /** Reports an error of a registry's item, and suspends the item when it fails too often. */
  charge(item: BudgetSubject, error: unknown): void;
}
export const PluginErrorsToken = createToken<PluginErrors>('host.plugin-errors');

/** A single registry, for a service that reads no other. */
export function registryToken<Id extends keyof ServerRegistries>(
  id: Id,
): Token<Registry<ServerRegistries[Id]>> {
  return createToken(`host.registry.${id}`);
}
