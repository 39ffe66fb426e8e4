import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ProjectEntity } from '@trellis/sdk/shared';
import VariablesTab from './VariablesTab.tsx';
import './variables.css';

const project = {
  id: 'p_1',
  title: 'Shop',
  permissions: ['variableUse', 'variableSet'],
} as unknown as ProjectEntity;

const meta: Meta<typeof VariablesTab> = {
  title: 'Variables/Variables of a project',
  component: VariablesTab,
  args: { project },
};
export default meta;

const tab = (list: readonly object[]) => ({
  host: { project, api: { 'GET /api/v1/plugins/variables/projects/p_1/variables': { list } } },
});
const updated_at = '2026-01-01T00:00:00.000Z';

export const Some: StoryObj = {
  parameters: tab([
    { name: 'KEY', is_secret: true, value: null, updated_at },
    { name: 'PLACE', is_secret: false, value: 'Bern', updated_at },
  ]),
};

export const None: StoryObj = { parameters: tab([]) };
