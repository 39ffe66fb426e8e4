import { pluginOfUrl } from './busy-frame.ts';
import type { PluginFolders } from './watchdog-data.ts';

/** A call in a heap profile of the debugger: the bytes that it allocated and that are still in use, and the calls it made. */
export interface HeapNode {
  readonly callFrame: { readonly url: string };
  readonly selfSize: number;
  readonly children: readonly HeapNode[];
}

/** The bytes in use by the plugin whose calls allocated them; calls of a plugin to others or to the server count as its own. */
export function bytesByPlugin(head: HeapNode, folders: PluginFolders): ReadonlyMap<string, number> {
  const bytes = new Map<string, number>();
  function add({ callFrame, selfSize, children }: HeapNode, caller: string | undefined): void {
    const plugin = caller ?? pluginOfUrl(callFrame.url, folders);
    if (plugin !== undefined) bytes.set(plugin, (bytes.get(plugin) ?? 0) + selfSize);
    for (const child of children) add(child, plugin);
  }
  add(head, undefined);
  return bytes;
}
