/** Files and folders of a plugin that its archive contains, besides its picture and the files about the archive itself. */
export const packedPaths: readonly string[] = ['plugin.json', 'README.md', 'LICENSE', 'dist', 'messages'];

/**
 * Whether a file of a plugin's folder belongs into its archive.
 *
 * @param path from the folder, with `/` between names
 * @param icon the manifest's `icon`
 * @public
 */
export function isPackedPath(path: string, icon?: string): boolean {
  return path === icon || packedPaths.some((part) => path === part || path.startsWith(`${part}/`));
}
