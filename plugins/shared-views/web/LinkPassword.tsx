import { useT } from '@trellis/sdk/web';
import { Switch, TextField } from '@trellis/sdk/web/ui';
import { useState, type FormEvent } from 'react';
import type { SharedViewEntity } from '../shared/index.ts';
import type { LinkOfView } from './use-link.ts';

interface LinkPasswordProps {
  readonly of: LinkOfView;
  readonly link: SharedViewEntity;
}

/** The password of a link: it is set and taken away, and never shown again. */
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
    // What was refused, or came while another change was on its way, is as it was.
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
