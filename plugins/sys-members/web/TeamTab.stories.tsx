import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ProjectEntity } from '@trellis/sdk/shared';
import TeamTab from './TeamTab.tsx';
import './team.css';

const project = {
  id: 'p_zoo',
  title: 'Zoo',
  role: 'owner',
  permissions: ['userList', 'userInvite', 'projectUserUpdate', 'projectUserDelete'],
} as unknown as ProjectEntity;

const meta: Meta<typeof TeamTab> = {
  title: 'Members/Team',
  component: TeamTab,
  args: { project, tab: { type: 'team', key: 'team', name: 'Team' } },
};
export default meta;

const person = (id: string, roles: string, patch: object = {}) => ({
  id,
  email: `${id}@example.com`,
  firstname: null,
  lastname: null,
  picture: null,
  main_roles: 'user',
  project_id: project.id,
  roles,
  custom_role: null,
  disabled: false,
  invite_token: null,
  created_at: '2026-11-01 10:00:00',
  invited_until: null,
  ...patch,
});
const team = (of: ProjectEntity, list: readonly object[]) => ({
  host: {
    user: { id: 'ada' },
    project: of,
    api: {
      'GET /api/v1/db/meta/projects/p_zoo/users': { users: { list, pageInfo: { totalRows: list.length } } },
    },
  },
});
const people = [
  person('ada', 'owner'),
  person('bob', 'editor', { disabled: true }),
  person('cy', 'viewer', { main_roles: '', invited_until: '2026-12-01 10:00:00' }),
];

/** The person, somebody whose account is disabled, and somebody who is invited. */
export const Some: StoryObj = { parameters: team(project, people) };

const looker = { ...project, role: 'editor', permissions: ['userList'] } as unknown as ProjectEntity;
export const ToReadAlone: StoryObj = { args: { project: looker }, parameters: team(looker, people) };
