export { freezeManifest } from './freeze-manifest.ts';
export { assertListedHook, isDecisive } from './listed-hooks.ts';
export { createOwnExtensionPoints, type OwnHooks, type OwnRegistries } from './own-extension-points.ts';
export { isPlainText, toPlainText } from './manifest-texts.ts';
export { isPackedPath, packedPaths } from './packed-paths.ts';
export { parseJson, placeAt, type TextPlace, withoutByteOrderMark } from './parse-json.ts';
export { manifestWords, parseManifest } from './parse-manifest.ts';
export { pluginErrors } from './plugin-errors.ts';
export {
  describeGraphProblem,
  PluginGraph,
  type GraphProblem,
  type IncompatibleDependency,
  type MissingDependency,
  type PluginConflict,
  type PluginCycle,
} from './plugin-graph.ts';
export {
  defaultLimits,
  type KnownPlugin,
  type PersistedPluginState,
  type PluginChange,
  type PluginHost,
  type PluginLimits,
  type PluginModule,
  type PluginState,
  type PluginStatus,
  type PluginStep,
  type PluginUsage,
} from './plugin-host.ts';
export {
  PluginManager,
  type CascadeOptions,
  type PluginManagerOptions,
  type StartOptions,
} from './plugin-manager.ts';
export type { DisablePlan, EnablePlan } from './plugin-planner.ts';
export {
  capabilities,
  manifestSchema,
  SDK_CONTRACT,
  type Contribution,
  type PageContribution,
  type PluginContributions,
  type PluginManifest,
} from './plugin-manifest.ts';
export { PluginScope, type PluginScopePhase } from './plugin-scope.ts';
export { isSystem } from './plugin-table.ts';
export { SerialQueue } from './serial-queue.ts';
export { satisfies } from './versions.ts';
