import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { useHost } from '../host.tsx';
import { CopyField } from './CopyField.tsx';
import { Switch } from './Switch.tsx';

const exampleSite = 'https://example.com';

/** The props of the list of sites that may show a page in a frame. @public */
export interface FramingSitesProps {
  /** Origins, or `*` for any; empty for none. */
  readonly sites: readonly string[];
  /** The HTML for these sites: see `embedCode`. */
  readonly code: string;
  onChange(this: void, sites: readonly string[]): void;
}

/**
 * Lets an owner choose which sites may show a page in a frame, and shows the HTML for them. The input is kept until other `sites`
 * are passed.
 *
 * @public
 */
export function FramingSites(props: FramingSitesProps): ReactNode {
  return <Sites key={props.sites.join(' ')} {...props} />;
}

function Sites({ sites, code, onChange }: FramingSitesProps) {
  const { sharedT: t } = useHost();
  const id = useId();
  const isOpen = sites.length > 0;
  const [text, setText] = useState(() => sites.filter((site) => site !== '*').join('\n'));

  function save(event: FormEvent) {
    event.preventDefault();
    const named = text.split(/[\s,]+/).filter((site) => site !== '');
    onChange(named.length === 0 ? ['*'] : named);
  }

  return (
    <div className="tr-framing">
      <Switch checked={isOpen} onChange={(on) => onChange(on ? ['*'] : [])}>
        {t('Let other sites show it inside theirs')}
      </Switch>
      {isOpen && (
        <>
          <CopyField
            label={t('Code for other sites')}
            value={code}
            copied={t('Copied embeddable html code!')}
            refused={t('The browser did not let it be copied. Please select the code.')}
          />
          <form className="tr-framing-sites" onSubmit={save}>
            <div className="tr-field">
              <label htmlFor={id}>{t('Only these sites')}</label>
              <textarea
                id={id}
                className="p-inputtext p-component"
                rows={2}
                value={text}
                placeholder={exampleSite}
                aria-describedby={`${id}-note`}
                onChange={(event) => setText(event.target.value)}
              />
              <small id={`${id}-note`} className="tr-note">
                {sites.includes('*')
                  ? t('Every site may show it. Name sites, one on a line, to let only these.')
                  : t('One on a line. Without any, every site may show it.')}
              </small>
            </div>
            <button type="submit" className="tr-button">
              {t('Save')}
            </button>
          </form>
        </>
      )}
    </div>
  );
}
