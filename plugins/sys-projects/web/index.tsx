import { defineWebPlugin, hasPermission, lazyPart } from '@trellis/sdk/web';
import { createObjectSearch } from './object-search.ts';
import { projectSearch } from './project-search.ts';
import './projects.css';

/** The parts that every table's page shows are in one file. */
const dashboard = () => import('./dashboard.ts');
const ProjectMenu = lazyPart(async () => ({ default: (await dashboard()).ProjectMenu }));
const ProjectsPage = lazyPart(() => import('./ProjectsPage.tsx'));
const ProjectObjects = lazyPart(async () => ({ default: (await dashboard()).ProjectObjects }));
const BlankProject = lazyPart(() => import('./BlankProject.tsx'));
const DatabaseProject = lazyPart(() => import('./databases/DatabaseProject.tsx'));
const DatabasesTab = lazyPart(() => import('./databases/DatabasesTab.tsx'));
const SqliteProject = lazyPart(() => import('./SqliteProject.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    const title = 'My Projects';
    for (const path of ['/projects', '/projects/list']) {
      ctx.register('routes', { id: `projects ${path}`, path, Component: ProjectsPage, title });
    }
    ctx.register('searchSources', projectSearch);
    ctx.register('searchSources', createObjectSearch(ctx.registry('objectKinds')));
    ctx.register('shellItems', {
      id: 'project-objects',
      slot: 'side-bar',
      order: 20,
      when: (shell) => shell.project !== undefined,
      Component: ProjectObjects,
    });
    ctx.register('shellItems', {
      id: 'project-menu',
      slot: 'top-bar-start',
      order: 10,
      when: (shell) => shell.project !== undefined,
      Component: ProjectMenu,
    });
    ctx.register('projectSources', {
      id: 'blank',
      label: 'Blank project',
      description: 'Start with an empty project and add your own tables.',
      icon: 'plus-circle',
      order: 10,
      permission: 'projectCreate',
      Component: BlankProject,
    });
    ctx.register('projectSources', {
      id: 'database',
      label: 'Connect a database',
      description: 'Work on the tables of PostgreSQL, MySQL, MariaDB or SQL Server where they are.',
      icon: 'server',
      order: 15,
      permission: 'databaseOpen',
      width: 620,
      Component: DatabaseProject,
    });
    ctx.register('dashboardTabs', {
      id: 'databases',
      label: 'Databases',
      icon: 'database',
      order: 70,
      permission: 'databaseOpen',
      when: ({ project }) => hasPermission('baseUpdate', project),
      Component: DatabasesTab,
    });
    ctx.register('projectSources', {
      id: 'sqlite',
      label: 'Open a SQLite file',
      description: 'Bring a database of your computer, or work on one that lies on this server.',
      icon: 'database',
      order: 20,
      permission: 'databaseOpen',
      Component: SqliteProject,
    });
  },
});
