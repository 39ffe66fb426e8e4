import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { auditTextsOfSources, codesByHand, errorsOfSources, textsOfSources } from './page-texts.ts';

/** The host or a plugin, with the texts that its sources show or send. */
export interface TextOwner {
  readonly id: string;
  /** Where its messages lie. */
  readonly folder: string;
  readonly texts: ReturnType<typeof textsOfSources>;
  readonly errors: ReturnType<typeof errorsOfSources>;
  readonly byHand: readonly string[];
  readonly audited: readonly string[];
}

/** The host and every plugin of the product. Examples of the SDK are no part of it. */
export function textOwners(root: string): readonly TextOwner[] {
  const pluginIds = readdirSync(join(root, 'plugins')).filter((id) =>
    existsSync(join(root, 'plugins', id, 'plugin.json')),
  );
  const below = (...folders: readonly string[]) =>
    folders.map((folder) => join(root, folder)).filter((folder) => existsSync(folder));

  const hostSources = below('core', 'sdk/build', 'sdk/server', 'sdk/shared', 'sdk/web', 'host-server');

  return [
    {
      id: 'host',
      folder: join(root, 'host-web/i18n/messages'),
      // The forms of databases come from the server.
      texts: textsOfSources(below('host-web', 'sdk/web', 'sdk/shared', 'host-server/schema/bases/kinds')),
      errors: errorsOfSources(hostSources),
      byHand: codesByHand(hostSources),
      audited: auditTextsOfSources(below('host-server')),
    },
    ...pluginIds.map((id): TextOwner => {
      const plugin = `plugins/${id}`;
      return {
        id,
        // What the errors say of a plugin without a web half is the host's to show.
        folder: join(
          root,
          existsSync(join(root, plugin, 'web'))
            ? `${plugin}/web/messages`
            : 'plugins/sys-app-store/web/messages',
        ),
        texts: textsOfSources(below(`${plugin}/web`, `${plugin}/shared`)),
        errors: errorsOfSources(below(`${plugin}/server`)),
        byHand: codesByHand(below(`${plugin}/server`)),
        audited: auditTextsOfSources(below(`${plugin}/server`)),
      };
    }),
  ];
}
