import type { HookRegistry } from '../hooks/hook-registry.ts';
import type { HookKind } from '../hooks/hook-types.ts';
import type { PluginManifest } from './plugin-manifest.ts';

/** Whether handlers of such a hook may change or refuse what happens, so that people must know of them. */
export function isDecisive(kind: HookKind | undefined): boolean {
  return kind !== undefined && kind !== 'did';
}

/**
 * Holds a plugin to the hooks that its manifest lists, which people have agreed to. One that is not defined yet is nobody's.
 *
 * @throws Error for a hook that decides and is not listed
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
