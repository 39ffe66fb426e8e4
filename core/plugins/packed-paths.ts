/** Files and folders of a plugin that its archive holds, besides its picture and what is written of the archive itself. */
export const packedPaths: readonly string[] = ['plugin.json', 'README.md', 'LICENSE', 'dist', 'messages'];

/**
 * Whether a file of a plugin's folder belongs into its archive.
 *
 * @param path from the folder, with `/` between names
 * @param icon what the manifest says of it
 * @public
 */
export function isPackedPath(path: string, icon?: string): boolean {
  return path === icon || packedPaths.some((part) => path === part || path.startsWith(`${part}/`));
}
