import type { Permission } from '@trellis/sdk/server';

const readers: Permission['roles'] = ['editor', 'commenter', 'viewer'];
const writers: Permission['roles'] = ['editor'];

/** The rows of the authorisation table for row data. Owners and creators have all of them. */
export const permissions: readonly Permission[] = [
  { id: 'dataList', label: 'List rows', roles: readers, scope: 'project' },
  { id: 'dataRead', label: 'Read a row', roles: readers, scope: 'project' },
  { id: 'dataExist', label: 'Ask whether a row exists', roles: readers, scope: 'project' },
  { id: 'dataFindOne', label: 'Find one row', roles: readers, scope: 'project' },
  { id: 'dataGroupBy', label: 'Group rows', roles: readers, scope: 'project' },
  { id: 'dataCount', label: 'Count rows', roles: readers, scope: 'project' },
  { id: 'exportCsv', label: 'Export rows as CSV', roles: readers, scope: 'project' },
  { id: 'dataInsert', label: 'Add a row', roles: writers, scope: 'project' },
  { id: 'dataUpdate', label: 'Change a row', roles: writers, scope: 'project' },
  { id: 'dataDelete', label: 'Delete a row', roles: writers, scope: 'project' },
  { id: 'bulkDataInsert', label: 'Add many rows', roles: writers, scope: 'project' },
  { id: 'bulkDataUpdate', label: 'Change many rows', roles: writers, scope: 'project' },
  { id: 'bulkDataDelete', label: 'Delete many rows', roles: writers, scope: 'project' },
];
