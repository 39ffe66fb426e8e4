import type { Permission } from '@trellis/sdk/server';

const readers: Permission['roles'] = ['editor', 'commenter', 'viewer'];

/** The rows of the authorisation table for tables and columns: structure is the owner's and the creator's. */
export const permissions: readonly Permission[] = [
  { id: 'tableList', label: 'List tables', roles: readers, scope: 'project' },
  { id: 'tableGet', label: 'Read a table', roles: readers, scope: 'project' },
  { id: 'tableCreate', label: 'Create a table', roles: [], scope: 'project' },
  { id: 'tableUpdate', label: 'Rename a table', roles: [], scope: 'project' },
  { id: 'tableDelete', label: 'Delete a table', roles: [], scope: 'project' },
  { id: 'tableReorder', label: 'Reorder tables', roles: [], scope: 'project' },
  { id: 'columnAdd', label: 'Add a column', roles: [], scope: 'project' },
  { id: 'columnUpdate', label: 'Change a column', roles: [], scope: 'project' },
  { id: 'columnDelete', label: 'Delete a column', roles: [], scope: 'project' },
  { id: 'columnSetAsPrimary', label: 'Choose the column that names a row', roles: [], scope: 'project' },
];
