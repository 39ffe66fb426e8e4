import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ProjectEntity } from '@trellis/sdk/shared';
import ProjectsPage from './ProjectsPage.tsx';
import './projects.css';

const meta: Meta<typeof ProjectsPage> = { title: 'Projects/My Projects', component: ProjectsPage };
export default meta;

const zoo = {
  id: 'p_zoo',
  title: 'Zoo',
  color: null,
  role: 'owner',
  permissions: ['projectUpdate', 'projectDelete'],
  updated_at: '2026-01-02 03:04:05',
} as unknown as ProjectEntity;

const page = (list: readonly object[], deleted: readonly object[] = []) => ({
  host: {
    registries: {
      projectSources: [
        {
          id: 'blank',
          label: 'Blank project',
          description: 'Tables of your own.',
          icon: 'plus',
          Component: () => null,
        },
      ],
    },
    api: {
      'GET /api/v1/db/meta/projects': { list },
      'GET /api/v1/db/meta/deleted-projects': { list: deleted },
    },
  },
});

export const Some: StoryObj = {
  parameters: page(
    [zoo, { ...zoo, id: 'p_shop', title: 'Shop', role: 'viewer', permissions: [] }],
    [{ id: 'p_old', title: 'Old', deleted_at: '2026-01-02 03:04:05', drops_at: '2026-02-01 03:04:05' }],
  ),
};

export const None: StoryObj = { parameters: page([]) };
