import { pluginOfUrl } from './busy-frame.ts';
import type { PluginFolders } from './watchdog-data.ts';

/** A call in a profile of the heap, as the debugger gives it: what it asked for and what is still in use, and the calls that it made. */
export interface HeapNode {
  readonly callFrame: { readonly url: string };
  readonly selfSize: number;
  readonly children: readonly HeapNode[];
}

/** Bytes in use, by the plugin in whose calls they were asked for: where it calls another one or the server, they are its own. */
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
