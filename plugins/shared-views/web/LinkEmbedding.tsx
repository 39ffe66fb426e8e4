import { useT } from '@trellis/sdk/web';
import { CopyField, Switch } from '@trellis/sdk/web/ui';
import { useId, useState, type FormEvent } from 'react';
import type { SharedViewEntity } from '../shared/index.ts';
import { embedCode, type LinkWord } from './link-address.ts';
import type { LinkOfView } from './use-link.ts';

const exampleSite = 'https://example.com';

interface LinkEmbeddingProps {
  readonly of: LinkOfView;
  readonly link: SharedViewEntity;
  readonly word: LinkWord;
}

/** Which sites may show the view of a link inside theirs, and what they write for that. */
export function LinkEmbedding({ of, link, word }: LinkEmbeddingProps) {
  const t = useT();
  const id = useId();
  const sites = link.meta.embedSites ?? [];
  const isOpen = sites.length > 0;
  const [text, setText] = useState(() => sites.filter((site) => site !== '*').join('\n'));

  const set = (embedSites: readonly string[]) => void of.change({ meta: { embedSites } });
  function save(event: FormEvent) {
    event.preventDefault();
    const named = text.split(/[\s,]+/).filter((site) => site !== '');
    set(named.length === 0 ? ['*'] : named);
  }

  return (
    <div className="shared-views-option">
      <Switch checked={isOpen} onChange={(on) => set(on ? ['*'] : [])}>
        {t('Let other sites show it inside theirs')}
      </Switch>
      {isOpen && (
        <>
          <CopyField
            label={t('Code for other sites')}
            value={embedCode(link.uuid, word, link.title)}
            copied={t('Copied embeddable html code!')}
            refused={t('The browser did not let it be copied. Please select the code.')}
          />
          <form className="shared-views-line" onSubmit={save}>
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
