import type { ProjectEntity } from '@trellis/sdk/shared';
import { useT, type StyleWithVariables, hasPermission } from '@trellis/sdk/web';
import { MenuButton, pageLanguage, type MenuAction } from '@trellis/sdk/web/ui';
import { useProjectActions } from './use-project-actions.ts';

/** The project's colour; one without a colour gets one derived from its id. */
function colorOf(project: ProjectEntity): string {
  if (project.color) return project.color;
  const sum = Array.from(project.id).reduce(
    (total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 360,
    7,
  );
  return `hsl(${sum} 55% 48%)`;
}

export function ProjectCard(props: {
  readonly project: ProjectEntity;
  readonly onOpen: () => void;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}) {
  const { project } = props;
  const t = useT();
  const style: StyleWithVariables = { '--project-color': colorOf(project) };
  const actions = useProjectActions(project, props);
  const open: MenuAction = { id: 'open', label: t('Open'), icon: 'folder-open', run: props.onOpen };
  return (
    <li className="projects-card" style={style}>
      <button type="button" className="projects-card-open" onClick={props.onOpen}>
        <span className="projects-card-mark" aria-hidden="true">
          {Array.from(project.title).slice(0, 2).join('')}
        </span>
        <span className="projects-card-text">
          <strong>{project.title}</strong>
          <small>
            {t(project.role ?? 'member')} · {t('changed {{when}}', { when: dayOf(project.updated_at) })}
          </small>
        </span>
      </button>
      <MenuButton
        label={t('Actions for {{title}}', { title: project.title })}
        menuLabel={t('Project {{title}}', { title: project.title })}
        actions={hasPermission('projectUpdate', project) ? [open, ...actions] : actions}
      />
    </li>
  );
}

/** The day of a server's moment in the person's zone and language. */
function dayOf(moment: string): string {
  return new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium' }).format(
    new Date(`${moment.slice(0, 19).replace(' ', 'T')}Z`),
  );
}
