import type { PluginFolders } from './watchdog-data.ts';

/** A call on the stack of a thread, from the debugger; the innermost comes first. */
interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly location: { readonly lineNumber: number };
}

/** The place where a thread is busy: in the innermost code of a plugin, else in the innermost code of all. */
export function busyFrame(
  frames: readonly Frame[],
  folders: PluginFolders,
): { readonly plugin: string | undefined; readonly place: string } | undefined {
  const ofPlugin = frames.find(({ url }) => pluginOfUrl(url, folders) !== undefined);
  const frame = ofPlugin ?? frames[0];
  if (frame === undefined) return undefined;
  const { functionName, url, location } = frame;
  const name = functionName === '' ? 'a function' : `'${functionName}'`;
  // Without the query string, which distinguishes builds of a plugin.
  const [path = ''] = url.split('?');
  const file = path.split('/').slice(-3).join('/');
  return { plugin: pluginOfUrl(url, folders), place: `${name} (${file}:${location.lineNumber + 1})` };
}

/** The plugin of the code at a URL. */
export function pluginOfUrl(url: string, folders: PluginFolders): string | undefined {
  const folder = folders.find((of) => url.startsWith(of));
  return folder === undefined ? undefined : /^[a-z][a-z0-9-]*/.exec(url.slice(folder.length))?.[0];
}

/** The plugin whose code comes first in an error's stack. */
export function pluginOfStack(stack: string | undefined, folders: PluginFolders): string | undefined {
  for (const [url] of (stack ?? '').matchAll(/file:\/\/[^\s()]+/g)) {
    const plugin = pluginOfUrl(url, folders);
    if (plugin !== undefined) return plugin;
  }
  return undefined;
}
