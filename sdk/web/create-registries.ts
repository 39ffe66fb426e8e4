import { Registries, Registry } from '@trellis/core';
import { containColumnType } from './contain-column-type.ts';
import { containRowColoring } from './contain-row-coloring.ts';
import type { RowColoring, WebColumnType } from './extensions/index.ts';
import type { HostWebRegistries, WebRegistries } from './registries.ts';

const defaultOrder = 100;

/** What the page does for each registry when a stored id has no provider. @internal */
export const webAbsentPolicies: { readonly [Id in keyof HostWebRegistries]: string } = {
  columnTypes: 'the raw value is shown and cannot be edited',
  viewTypes: 'shown as a read-only grid with a notice',
  filterOperators: 'the filter is listed by its id and the grid offers to show rows without it',
  aggregations: 'not offered; a stored one shows a dash',
  routes: 'the 404 page',
  layouts: 'the default layout',
  shellItems: 'not drawn',
  toolbarItems: 'not drawn',
  menuItems: 'not offered',
  dashboardTabs: 'the tab says which plugin is missing',
  objectKinds: 'its objects are not listed; an open tab says which plugin is missing',
  tableBranches: 'not drawn',
  trashSections: 'not drawn',
  pluginPanels: 'not drawn',
  settingsPanels: 'not offered',
  accountPanels: 'not offered',
  signInSteps: 'the person is told that a plugin is missing',
  cellActions: 'not offered',
  rowPanes: 'not offered',
  exportFormats: 'not offered',
  importFormats: 'not offered',
  rowColorings: 'rows have none of its colours; its rules stay',
  themes: 'the default theme',
  locales: "the key's English text",
  commands: 'not offered',
  searchSources: 'its things are not found',
  projectSources: 'not offered',
};

/** Called when an item's own code failed. @internal */
export type OnItemError = (
  source: { readonly registry: 'columnTypes' | 'rowColorings'; readonly id: string },
  where: string,
  error: unknown,
) => void;

/** The browser's registries, empty. The host creates them once; the test kit creates them per test. @internal */
export function createWebRegistries(onError: OnItemError = () => undefined): Registries<WebRegistries> {
  const registries = new Registries<WebRegistries>();
  const contain = (type: WebColumnType) =>
    containColumnType(type, (where, error) =>
      onError({ registry: 'columnTypes', id: type.id }, where, error),
    );
  const containColoring = (coloring: RowColoring) =>
    containRowColoring(coloring, (where, error) =>
      onError({ registry: 'rowColorings', id: coloring.id }, where, error),
    );
  for (const id of Object.keys(webAbsentPolicies) as (keyof HostWebRegistries)[]) {
    const options = { id, absentPolicy: webAbsentPolicies[id], defaultOrder };
    // Each registry only gets items of its own id: `get` pairs them by name.
    const registry =
      id === 'columnTypes'
        ? new Registry<WebColumnType>({ ...options, contain })
        : id === 'rowColorings'
          ? (new Registry<RowColoring>({
              ...options,
              contain: containColoring,
            }) as unknown as Registry<WebColumnType>)
          : (new Registry<WebRegistries[typeof id]>(options) as unknown as Registry<WebColumnType>);
    registries.define(registry);
  }
  return registries;
}
