export { HookPoint, longestHook, type HookServices } from './hook-point.ts';
export { HookRegistry } from './hook-registry.ts';
export type {
  BailSpec,
  DidSpec,
  HookArguments,
  HookCatalogue,
  HookDefinition,
  HookHandler,
  HookKind,
  HookOutcome,
  HookPolicy,
  HookSpec,
  TapOptions,
  WaterfallSpec,
} from './hook-types.ts';
