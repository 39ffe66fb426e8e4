export {
  createToken,
  defineErrors,
  isPackedPath,
  toPlainText,
  knownPart,
  problemsByField,
  toDisposable,
  TrellisError,
  validateSettings,
  Veto,
} from '@trellis/core';
export type {
  BailSpec,
  DidSpec,
  Disposable,
  Event,
  HookHandler,
  HookPolicy,
  HookSpec,
  JsonSchema,
  KnownPart,
  OwnHooks,
  OwnRegistries,
  PlatformAbortSignal,
  PluginManifest,
  PluginState,
  PluginUsage,
  RegistryEntry,
  RegistryView,
  SettingsSchema,
  TapOptions,
  Token,
  VetoParams,
  WaterfallSpec,
} from '@trellis/core';
export * from './select-options.ts';
export * from './storage-kind.ts';
export * from './aggregation.ts';
export * from './attached-file.ts';
export * from './automations.ts';
export * from './formula-function.ts';
export * from './checked-answers.ts';
export * from './column-type.ts';
export * from './conditions/index.ts';
export * from './csv-formulas.ts';
export * from './data-path.ts';
export * from './icon-name.ts';
export * from './ids-in-tree.ts';
export * from './tree-parts.ts';
export * from './letter-case.ts';
export * from './moved-conditions.ts';
export * from './nesting.ts';
export * from './patterns/index.ts';
export * from './plugin-installation.ts';
export { keepsFraction, parseDecimal, parseInteger, readNumbersTogether } from './number-values.ts';
export * from './plugin-settings.ts';
export * from './query-tree.ts';
export * from './read-query.ts';
export * from './refusal.ts';
export * from './row-key.ts';
export * from './entities.ts';
export * from './request-template.ts';
export * from './roles.ts';
export * from './live.ts';
export * from './tasks.ts';
export * from './swatches.ts';
export * from './template.ts';
export * from './template-check.ts';
export * from './template-json.ts';
export * from './text-lists.ts';
export { beginOf, isPrintable, parseText, textProblem } from './text-values.ts';
export * from './times/index.ts';
export * from './wire-time.ts';
export * from './view-addition.ts';
export * from './view-type.ts';
export * from './without-undefined.ts';
