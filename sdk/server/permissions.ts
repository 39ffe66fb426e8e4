import type { Permission } from './access.ts';

const readers = ['editor', 'commenter', 'viewer'] as const;
const editors = ['editor'] as const;

function inProject(id: string, label: string, roles: Permission['roles'] = []): Permission {
  return { id, label, roles, scope: 'project' };
}

function byAccount(id: string, label: string, roles: Permission['roles'] = []): Permission {
  return { id, label, roles, scope: 'account' };
}

/**
 * The permissions that the stores themselves require, with the roles that have them. Owners and creators have all that depend on
 * the project role.
 *
 * The host registers them, so they apply whichever plugin calls a store. Routes name them too, so that a call is refused before its
 * body is read. A plugin registers further ones for its own functions.
 * @public
 */
export const storePermissions: readonly Permission[] = [
  byAccount('projectList', 'List the own projects', ['user', 'user_new']),
  byAccount('projectCreate', 'Create a project', ['user']),
  byAccount('projectRestore', 'Bring a deleted project back', ['user', 'user_new']),
  byAccount('projectPurge', 'Delete a deleted project for good', ['user', 'user_new']),
  byAccount('projectRescue', 'See all projects, and give those whose owners are gone to somebody'),
  byAccount('databaseOpen', 'Open a database of this server'),
  byAccount('accountList', 'See everybody who has an account'),
  byAccount('accountUpdate', 'Disable accounts, and make super admins'),
  byAccount('accountDelete', 'Delete accounts'),
  byAccount('cacheRead', 'See what the server keeps in memory'),
  byAccount('cacheClear', 'Have the server read its metadata again'),
  inProject('projectGet', 'Open a project', readers),
  inProject('projectUpdate', 'Rename a project'),
  inProject('projectDelete', 'Delete a project'),

  inProject('userList', 'See who is in a project and who was invited'),
  inProject('userInvite', 'Add people to a project'),
  inProject('projectUserUpdate', 'Change the role of a member'),
  inProject('projectUserDelete', 'Remove a member'),
  inProject('projectLeave', 'Leave a project', readers),
  inProject('baseCreate', 'Open a further database in a project'),
  inProject('baseUpdate', 'Change the connection of a database'),
  inProject('baseDelete', 'Take a database out of a project'),

  inProject('metaDiff', 'Compare a project with its database'),
  inProject('metaDiffSync', 'Take over what changed in the database of a project'),

  inProject('auditList', 'Read what was done in a project'),
  inProject('taskList', 'See the work that goes on in the background', readers),

  inProject('tableList', 'List tables', readers),
  inProject('tableGet', 'Read a table', readers),
  inProject('tableCreate', 'Create a table'),
  inProject('tableUpdate', 'Rename a table'),
  inProject('tableDelete', 'Delete a table'),
  inProject('tableReorder', 'Reorder tables'),
  inProject('columnAdd', 'Add a column'),
  inProject('columnUpdate', 'Change a column'),
  inProject('columnDelete', 'Delete a column'),
  inProject('columnSetAsPrimary', 'Choose the column that names a row'),

  inProject('viewList', 'List views', readers),
  inProject('columnList', 'Read the columns of a view', readers),
  inProject('gridViewCreate', 'Create a grid view'),
  inProject('formViewCreate', 'Create a form view'),
  inProject('galleryViewCreate', 'Create a gallery view'),
  inProject('kanbanViewCreate', 'Create a kanban view'),
  inProject('viewUpdate', 'Rename or lock a view'),
  inProject('viewDelete', 'Delete a view'),
  inProject('viewArrange', 'Group and colour the rows of a view, and change its settings', editors),
  inProject('personalViewEdit', 'Make, change and delete personal views', editors),
  inProject('viewColumnUpdate', 'Arrange the columns of a view', editors),
  inProject('gridColumnUpdate', 'Arrange the columns of a grid', editors),
  inProject('showAllColumns', 'Show all columns of a view', editors),
  inProject('hideAllColumns', 'Hide all columns of a view', editors),
  inProject('sortList', 'List sorts', readers),
  inProject('sortGet', 'Read a sort'),
  inProject('sortCreate', 'Add a sort', editors),
  inProject('sortUpdate', 'Change a sort', editors),
  inProject('sortDelete', 'Remove a sort', editors),
  inProject('filterList', 'List filters', ['editor', 'viewer']),
  inProject('filterGet', 'Read a filter', editors),
  inProject('filterCreate', 'Add a filter', editors),
  inProject('filterUpdate', 'Change a filter', editors),
  inProject('filterDelete', 'Remove a filter', editors),
  inProject('filterChildrenRead', 'Read the filters of a group', editors),

  inProject('dataList', 'List rows', readers),
  inProject('dataRead', 'Read a row', readers),
  inProject('dataExist', 'Ask whether a row exists', readers),
  inProject('dataFindOne', 'Find one row', readers),
  inProject('dataGroupBy', 'Group rows', readers),
  inProject('dataCount', 'Count rows', readers),
  inProject('exportCsv', 'Export rows as CSV', readers),
  inProject('dataInsert', 'Add a row', editors),
  inProject('dataUpdate', 'Change a row', editors),
  inProject('dataDelete', 'Delete a row', editors),
  inProject('hmList', 'List the rows that many of link to a row', readers),
  inProject('mmList', 'List the rows that are linked to a row both ways', readers),
  inProject('hmExcludedList', 'List rows that could be linked to a row', editors),
  inProject('mmExcludedList', 'List rows that could be linked to a row both ways', editors),
  inProject('btExcludedList', 'List rows that a row could link to', editors),
  inProject('relationDataAdd', 'Link rows', editors),
  inProject('relationDataRemove', 'Take away links between rows', editors),
  inProject('bulkDataInsert', 'Add many rows', editors),
  inProject('bulkDataUpdate', 'Change many rows', editors),
  inProject('bulkDataDelete', 'Delete many rows', editors),
  inProject('deletionList', 'See which rows were deleted, and by whom', editors),
  inProject('deletionPurge', 'Delete rows of the trash for good', []),
];
