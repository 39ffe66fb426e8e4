import type { Meta, StoryObj } from '@storybook/react-vite';
import type { PluginEntity } from '@trellis/sdk/shared';
import AppStorePage from './AppStorePage.tsx';
import './app-store.css';

const meta: Meta<typeof AppStorePage> = { title: 'App store/Plugins', component: AppStorePage };
export default meta;

const plugin = (name: string, patch: object = {}) =>
  ({
    id: name,
    name,
    version: '1.0.0',
    description: 'What it is for.',
    category: 'column',
    system: false,
    state: 'enabled',
    hasSettings: true,
    contributes: {},
    labels: {},
    dependents: [],
    errors: [],
    notices: [],
    suspended: [],
    refusing: [],
    versions: [],
    builtIn: true,
    unagreed: { halves: [], hooks: [], paths: [], hosts: [], permissions: [], tables: [] },
    missingSettings: [],
    ...patch,
  }) as unknown as PluginEntity;

const store = (list: readonly PluginEntity[]) => ({
  host: {
    user: { roles: { super: true } },
    api: ({ path }: { readonly path: string }) =>
      path.endsWith('/plugins') ? { list, locked: false, safeMode: false } : { list: [], words: {} },
  },
});

/** One that is on, one that is off, one that failed, and one of the system. */
export const Some: StoryObj = {
  parameters: store([
    plugin('Stars'),
    plugin('Barcodes', { state: 'disabled' }),
    plugin('Talk', { category: 'chat', state: 'failed', reason: 'It broke at the start.' }),
    plugin('Tables', { system: true, hasSettings: false }),
  ]),
};
