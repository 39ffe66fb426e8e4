import { useT } from '@trellis/sdk/web';
import { TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { readDatabaseAddress, type DatabaseAddress } from '../../shared/index.ts';

/** Accepts a database address, which may contain everything that the form asks for. */
export function AddressField(props: { readonly onRead: (address: DatabaseAddress) => void }) {
  const t = useT();
  const [text, setText] = useState('');
  const [isRead, setRead] = useState(false);

  function change(value: string) {
    const address = readDatabaseAddress(value);
    // A pasted address is complete. It is cleared at once, because it shows the password, which has a masked field.
    const isWhole = address !== undefined && value.length > text.length + 1;
    setText(isWhole ? '' : value);
    setRead(address !== undefined);
    if (address !== undefined) props.onRead(address);
  }

  return (
    <TextField
      label={t('Address of the database')}
      value={text}
      maxLength={4000}
      autoComplete="off"
      placeholder="postgres://user:password@host:5432/database"
      hint={
        isRead
          ? t('The fields below are filled in from it.')
          : t('If you have one, paste it here: it fills in the fields below.')
      }
      onChange={change}
    />
  );
}
