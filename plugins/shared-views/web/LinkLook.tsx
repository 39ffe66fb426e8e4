import { useT } from '@trellis/sdk/web';
import { Select, Switch, TextField } from '@trellis/sdk/web/ui';
import { useId, useState, type FormEvent } from 'react';
import { readLook, type LinkLook as Look, type SharedViewEntity } from '../shared/index.ts';
import type { LinkOfView } from './use-link.ts';

const usualAccent = '#1348ba';

/** The look of a link's page: its own title and colour, light or dark. */
export function LinkLook({ of, link }: { readonly of: LinkOfView; readonly link: SharedViewEntity }) {
  const t = useT();
  const id = useId();
  const kept = readLook(link.meta.look) ?? {};
  const [look, setLook] = useState<Look>(kept);
  const [isAsked, setAsked] = useState(Object.values(kept).some((value) => value !== undefined));
  const set = (change: { readonly [Key in keyof Look]: Look[Key] | undefined }) => {
    const next = Object.entries({ ...look, ...change }).filter(
      ([, value]) => value !== undefined && value !== '',
    );
    setLook(Object.fromEntries(next));
  };

  function turn(on: boolean) {
    setAsked(on);
    if (on) return;
    setLook({});
    // If the change was refused, or another one was being sent, the former state is shown.
    void of.change({ meta: { look: {} } }).then((isTaken) => {
      if (isTaken) return;
      setLook(kept);
      setAsked(true);
    });
  }
  function save(event: FormEvent) {
    event.preventDefault();
    void of.change({ meta: { look } });
  }

  return (
    <div className="shared-views-option">
      <Switch checked={isAsked} onChange={turn}>
        {t('Give the page a look of its own')}
      </Switch>
      {isAsked && (
        <form className="shared-views-look" onSubmit={save}>
          <TextField
            label={t('Title of the page')}
            maxLength={200}
            value={look.title ?? ''}
            hint={t('Without one it is the title of the view.')}
            onChange={(title) => set({ title })}
          />
          <div className="tr-field">
            <span>{t('Light or dark')}</span>
            <Select<'light' | 'dark' | ''>
              label={t('Light or dark')}
              value={look.mode ?? ''}
              options={[
                { value: '', label: t('As the visitor has it') },
                { value: 'light', label: t('Light') },
                { value: 'dark', label: t('Dark') },
              ]}
              onChange={(mode) => set({ mode: mode === '' ? undefined : mode })}
            />
          </div>
          <div className="tr-field">
            <label htmlFor={`${id}-accent`}>{t('Colour')}</label>
            <input
              id={`${id}-accent`}
              type="color"
              value={look.accent ?? usualAccent}
              onChange={({ target: { value } }) => set({ accent: value })}
            />
          </div>
          <button type="submit" className="tr-button">
            {t('Save')}
          </button>
        </form>
      )}
    </div>
  );
}
