import type { Page, ProjectEntity } from '@trellis/sdk/shared';
import type { SearchSource } from '@trellis/sdk/web';

/** The person's projects, for searches by name. */
export const projectSearch: SearchSource = {
  id: 'projects',
  label: 'Projects',
  order: 30,
  async list(_context, { api, signal }) {
    const { list } = await api.request<Page<ProjectEntity>>({ path: '/api/v1/db/meta/projects', signal });
    const own = list.filter(({ role }) => role !== undefined);
    return own.map(({ id, title }) => ({
      id,
      label: title,
      icon: 'folder',
      open: ({ navigate }) => navigate(`/nc/${encodeURIComponent(id)}`),
    }));
  },
};
