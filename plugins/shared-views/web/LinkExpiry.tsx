import { useT } from '@trellis/sdk/web';
import { pageLanguage, Switch } from '@trellis/sdk/web/ui';
import { useId, useState, type FormEvent } from 'react';
import type { SharedViewEntity } from '../shared/index.ts';
import type { LinkOfView } from './use-link.ts';

interface LinkExpiryProps {
  readonly of: LinkOfView;
  readonly link: SharedViewEntity;
}

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** A moment in the form that date fields take, in the person's own zone. */
function toField(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** When a link expires. */
export function LinkExpiry({ of, link }: LinkExpiryProps) {
  const t = useT();
  const id = useId();
  const until = link.expires_at === null ? undefined : new Date(link.expires_at);
  const [isAsked, setAsked] = useState(until !== undefined);
  const [value, setValue] = useState(() => toField(until ?? new Date(Date.now() + weekMs)));
  const [now] = useState(Date.now);
  const isOver = until !== undefined && until.getTime() <= now;

  function save(event: FormEvent) {
    event.preventDefault();
    const at = new Date(value);
    if (!Number.isNaN(at.getTime())) void of.change({ expires_at: at.toISOString() });
  }

  function change(on: boolean) {
    setAsked(on);
    // If the change was refused, or another one was being sent, the former state is shown.
    if (!on && until !== undefined)
      void of.change({ expires_at: null }).then((isTaken) => !isTaken && setAsked(true));
  }

  const when = until?.toLocaleString(pageLanguage(), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <div className="shared-views-option">
      <Switch checked={isAsked} onChange={change}>
        {t('Let the link end')}
      </Switch>
      {isAsked && (
        <form className="shared-views-line" onSubmit={save}>
          <div className="tr-field">
            <label htmlFor={id}>{t('The link works until')}</label>
            <input
              id={id}
              className="p-inputtext p-component"
              type="datetime-local"
              value={value}
              aria-describedby={`${id}-note`}
              onChange={(event) => setValue(event.target.value)}
            />
            <small id={`${id}-note`} className={isOver ? 'tr-field-problem' : 'tr-note'}>
              {when === undefined
                ? t('Until it is saved the link has no end.')
                : isOver
                  ? t('The link opens nothing since {{when}}.', { when })
                  : t('The link opens nothing from {{when}} on.', { when })}
            </small>
          </div>
          <button type="submit" className="tr-button">
            {t('Save')}
          </button>
        </form>
      )}
    </div>
  );
}
