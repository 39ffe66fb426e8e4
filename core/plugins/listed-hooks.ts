import type { HookRegistry } from '../hooks/hook-registry.ts';
import type { HookKind } from '../hooks/hook-types.ts';
import type { PluginManifest } from './plugin-manifest.ts';

/** Whether handlers of such a hook may change or refuse an operation, so that people must know of them. */
export function isDecisive(kind: HookKind | undefined): boolean {
  return kind !== undefined && kind !== 'did';
}

/**
 * Checks that a plugin only taps deciding hooks that its manifest lists, since people agreed to these. A hook that is not defined
 * yet is not checked.
 *
 * @throws Error for a deciding hook that is not listed
 */
export function assertListedHook(
  hooks: Pick<HookRegistry, 'kindOf'>,
  { id, contributes = {} }: Pick<PluginManifest, 'id' | 'contributes'>,
  hook: string,
): void {
  if (!isDecisive(hooks.kindOf(hook)) || contributes.hooks?.includes(hook) === true) return;
  throw new Error(
    `Plugin '${id}' taps '${hook}', which its manifest does not list; add it to contributes.hooks.`,
  );
}
