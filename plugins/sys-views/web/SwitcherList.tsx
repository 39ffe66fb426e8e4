import type { ViewEntity } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { Icon } from '@trellis/sdk/web/ui';
import { ModeSign } from './ModeSign.tsx';
import { useViewIcon } from './view-icon.ts';
import { hasHeadings, idOfSection, type ViewSection } from './view-sections.ts';

/** The table's views by group, to open one. */
export function SwitcherList(props: {
  readonly sections: readonly ViewSection[];
  /** The open view. */
  readonly view: ViewEntity;
  readonly onShow: (view: ViewEntity) => void;
}) {
  const t = useT();
  const iconOf = useViewIcon();
  const isHeaded = hasHeadings(props.sections);
  const filled = props.sections.filter(({ views }) => views.length > 0);
  return (
    <div className="views-views">
      {filled.map((section) => {
        const { group, views } = section;
        const title = group?.title ?? t('Without a group');
        return (
          <section key={idOfSection(section)}>
            {isHeaded && <h3 className="views-heading">{title}</h3>}
            <ul aria-label={isHeaded ? title : t('Views')}>
              {views.map((of) => (
                <li key={of.id}>
                  <button
                    type="button"
                    className="tr-item"
                    aria-current={of.id === props.view.id ? 'true' : undefined}
                    onClick={() => props.onShow(of)}
                  >
                    <Icon name={iconOf(of)} />
                    <span className="views-name">
                      <span>{of.title}</span>
                      {of.description && <small className="tr-note">{of.description}</small>}
                    </span>
                    <ModeSign view={of} />
                  </button>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
