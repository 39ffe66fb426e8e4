import type { Permission } from '@trellis/sdk/server';

const readers: Permission['roles'] = ['editor', 'commenter', 'viewer'];
const editors: Permission['roles'] = ['editor'];

/** The rows of the authorisation table for views: editors arrange a view, owners and creators make views. */
export const permissions: readonly Permission[] = [
  { id: 'viewList', label: 'List views', roles: readers, scope: 'project' },
  { id: 'columnList', label: 'Read the columns of a view', roles: readers, scope: 'project' },
  { id: 'gridViewCreate', label: 'Create a grid view', roles: [], scope: 'project' },
  { id: 'viewUpdate', label: 'Rename or lock a view', roles: [], scope: 'project' },
  { id: 'viewDelete', label: 'Delete a view', roles: [], scope: 'project' },
  { id: 'viewColumnUpdate', label: 'Arrange the columns of a view', roles: editors, scope: 'project' },
  { id: 'gridColumnUpdate', label: 'Arrange the columns of a grid', roles: editors, scope: 'project' },
  { id: 'showAllColumns', label: 'Show all columns of a view', roles: editors, scope: 'project' },
  { id: 'hideAllColumns', label: 'Hide all columns of a view', roles: editors, scope: 'project' },
  { id: 'sortList', label: 'List sorts', roles: readers, scope: 'project' },
  { id: 'sortGet', label: 'Read a sort', roles: [], scope: 'project' },
  { id: 'sortCreate', label: 'Add a sort', roles: editors, scope: 'project' },
  { id: 'sortUpdate', label: 'Change a sort', roles: editors, scope: 'project' },
  { id: 'sortDelete', label: 'Remove a sort', roles: editors, scope: 'project' },
  { id: 'filterList', label: 'List filters', roles: ['editor', 'viewer'], scope: 'project' },
  { id: 'filterGet', label: 'Read a filter', roles: editors, scope: 'project' },
  { id: 'filterCreate', label: 'Add a filter', roles: editors, scope: 'project' },
  { id: 'filterUpdate', label: 'Change a filter', roles: editors, scope: 'project' },
  { id: 'filterDelete', label: 'Remove a filter', roles: editors, scope: 'project' },
  { id: 'filterChildrenRead', label: 'Read the filters of a group', roles: editors, scope: 'project' },
];
