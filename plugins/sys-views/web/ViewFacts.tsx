import type { ViewEntity } from '@trellis/sdk/shared';
import { useT, useTypedText } from '@trellis/sdk/web';
import { Choices, Icon, pageLanguage } from '@trellis/sdk/web/ui';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { ViewActions } from './use-view-actions.ts';
import { useViewIcon } from './view-icon.ts';
import { modeOf, viewModes } from './view-modes.ts';

/** The person who created the view, and the date. */
export function Maker({ view: { made_by: name, created_at: at } }: { readonly view: ViewEntity }) {
  const t = useT();
  const when = new Date(at);
  if (Number.isNaN(when.getTime())) return null;
  const day = when.toLocaleDateString(pageLanguage(), { dateStyle: 'medium' });
  return (
    <p className="tr-note">
      {name ? t('Made by {{name}} on {{day}}', { name, day }) : t('Made on {{day}}', { day })}
    </p>
  );
}

/** Saves the text when the panel closes: the focused field is removed without a blur event. */
function useSavedOnLeave(save: () => void): void {
  const latest = useRef(save);
  useLayoutEffect(() => {
    latest.current = save;
  });
  useEffect(() => () => latest.current(), []);
}

/** The view's description: saved by Enter, and when its field or the panel is left. */
function Description({ view, actions }: { readonly view: ViewEntity; readonly actions: ViewActions }) {
  const t = useT();
  const description = useTypedText(view.description ?? '', (text) =>
    actions.patch(view, { description: text }),
  );
  useSavedOnLeave(description.save);
  return (
    <form
      className="views-row"
      onSubmit={(event) => {
        event.preventDefault();
        description.save();
      }}
    >
      <input
        className="p-inputtext p-component"
        value={description.text}
        maxLength={2000}
        dir="auto"
        aria-label={t('Description of the view')}
        placeholder={t('What is this view for?')}
        onChange={(event) => description.type(event.target.value)}
        onBlur={description.save}
      />
    </form>
  );
}

/** The view's name, its description, and who may change it. */
export function ViewFacts(props: {
  readonly view: ViewEntity;
  readonly actions: ViewActions;
  /** The last question asked: its button gets the focus. */
  readonly asker: string | undefined;
  readonly onAsk: (about: 'group' | 'icon') => void;
}) {
  const { view, actions, asker, onAsk } = props;
  const iconOf = useViewIcon();
  const t = useT();
  const title = useTypedText(view.title, (text) => actions.patch(view, { title: text }));
  const isNamed = title.isNew && title.text.trim() !== '';
  const rename = (): void => {
    if (isNamed) title.save();
  };
  useSavedOnLeave(rename);
  return (
    <>
      <form
        className="views-row"
        onSubmit={(event) => {
          event.preventDefault();
          rename();
        }}
      >
        <input
          className="p-inputtext p-component"
          value={title.text}
          aria-label={t('View name')}
          onChange={(event) => title.type(event.target.value)}
          onBlur={rename}
        />
        <button type="submit" className="tr-button" aria-disabled={!isNamed}>
          {t('Rename')}
        </button>
      </form>
      <Description view={view} actions={actions} />
      <div className="views-actions">
        <button
          type="button"
          className="tr-action"
          autoFocus={asker === 'icon'}
          onClick={() => onAsk('icon')}
        >
          <Icon name={iconOf(view)} /> {t('Change the icon')}
        </button>
        {actions.mayUpdate && (
          <button
            type="button"
            className="tr-action"
            autoFocus={asker === 'group'}
            onClick={() => onAsk('group')}
          >
            <Icon name="folder" /> {t('Put into a group')}
          </button>
        )}
      </div>
      <Maker view={view} />
      {actions.mayUpdate && (
        <Choices
          label={t('Who may change this view')}
          value={view.lock_type}
          options={viewModes.map(({ value, icon, label, title: meaning }) => ({
            value,
            icon,
            label: t(label),
            title: t(meaning),
          }))}
          onChange={(mode) => void actions.changeMode(view, mode)}
        />
      )}
      <p className="tr-note">{t(modeOf(view)?.title ?? '')}</p>
    </>
  );
}
