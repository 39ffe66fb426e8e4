import { useT } from '@trellis/sdk/web';
import { Switch, TextField } from '@trellis/sdk/web/ui';
import { useState, type FormEvent } from 'react';
import type { SharedViewEntity } from '../shared/index.ts';
import type { LinkOfView } from './use-link.ts';

interface LinkPasswordProps {
  readonly of: LinkOfView;
  readonly link: SharedViewEntity;
}

/** A link's password: it can be set and removed, but is never shown. */
export function LinkPassword({ of, link }: LinkPasswordProps) {
  const t = useT();
  const isSet = link.password !== null;
  const [isAsked, setAsked] = useState(isSet);
  const [password, setPassword] = useState('');

  async function save(event: FormEvent) {
    event.preventDefault();
    if (password !== '' && (await of.change({ password }))) setPassword('');
  }

  function change(on: boolean) {
    setAsked(on);
    // If the change was refused, or another one was being sent, the former state is shown.
    if (!on && isSet) void of.change({ password: null }).then((isTaken) => !isTaken && setAsked(true));
  }

  return (
    <div className="shared-views-option">
      <Switch checked={isAsked} onChange={change}>
        {t('Ask for a password')}
      </Switch>
      {isAsked && (
        <form className="shared-views-line" onSubmit={(event) => void save(event)}>
          <TextField
            label={isSet ? t('Another password') : t('Password')}
            type="password"
            autoComplete="new-password"
            maxLength={1000}
            value={password}
            hint={
              isSet
                ? t('The link asks for a password. Nobody can read it here; another one can take its place.')
                : t('Until it is saved the link asks for none.')
            }
            onChange={setPassword}
          />
          <button type="submit" className="tr-button" aria-disabled={password === ''}>
            {t('Save')}
          </button>
        </form>
      )}
    </div>
  );
}
