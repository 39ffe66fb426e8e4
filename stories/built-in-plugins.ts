import type { PluginManifest } from '@trellis/core';
import type { WebPlugin } from '@trellis/sdk/web';

declare global {
  interface ImportMeta {
    /** Of Vite, which builds the stories. */
    glob<Module>(
      pattern: string,
      options: { readonly eager: true; readonly import: 'default' },
    ): Readonly<Record<string, Module>>;
  }
}

/** The web halves of all built-in plugins, by their files. */
export const halves = import.meta.glob<WebPlugin>('../plugins/*/web/index.tsx', {
  eager: true,
  import: 'default',
});

/** What all built-in plugins say of themselves, by their files. */
export const manifests = import.meta.glob<PluginManifest>('../plugins/*/plugin.json', {
  eager: true,
  import: 'default',
});
