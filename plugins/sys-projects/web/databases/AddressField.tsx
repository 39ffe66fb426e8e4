import { useT } from '@trellis/sdk/web';
import { TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { readDatabaseAddress, type DatabaseAddress } from '../../shared/index.ts';

/** Takes the address of a database, in which all that the form asks for may stand. */
export function AddressField(props: { readonly onRead: (address: DatabaseAddress) => void }) {
  const t = useT();
  const [text, setText] = useState('');
  const [isRead, setRead] = useState(false);

  function change(value: string) {
    const address = readDatabaseAddress(value);
    // What is pasted is whole. It goes from the screen at once: the password has a field that hides it.
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
