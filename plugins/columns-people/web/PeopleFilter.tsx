import { useT, type ColumnFilterProps } from '@trellis/sdk/web';
import { PickButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { addressesOf, me } from '../shared/index.ts';
import { PeopleCell } from './PeopleCell.tsx';
import { PeoplePicker } from './PeoplePicker.tsx';

/** The people of a stored filter: joined by commas, or a list from other clients. */
function chosenIn(value: ColumnFilterProps['value']): readonly string[] {
  const text = Array.isArray(value) ? value.join(',') : String((value as string | null) ?? '');
  return addressesOf(text).map((address) => address.trim());
}

/** Chooses a filter's people; "me" is the person who reads. */
export function PeopleFilter({ column, value, readOnly, label, onChange }: ColumnFilterProps) {
  const t = useT();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  const chosen = chosenIn(value);
  const named = chosen.filter((address) => address !== me);
  const words = chosen.map((address) => (address === me ? t('me') : address));

  function choose(address: string) {
    const next = chosen.includes(address) ? chosen.filter((of) => of !== address) : [...chosen, address];
    onChange(next.join(','));
  }

  return (
    <fieldset className="tr-text-input tr-filter-editor" disabled={readOnly}>
      <PickButton
        ref={setAnchor}
        label={[label ?? column.title, ...words].join(', ')}
        isOpen={isOpen}
        onOpen={() => setOpen(true)}
      >
        {chosen.includes(me) && <span className="cpl-me">{t('me')}</span>}
        <PeopleCell value={named.join(',') || null} column={column} />
      </PickButton>
      {isOpen && anchor !== null && (
        <PeoplePicker
          label={column.title}
          projectId={column.project_id}
          anchor={anchor}
          chosen={chosen}
          isMultiple
          first={{ id: me, label: t('Me'), detail: t('whoever looks at the view') }}
          mayClear
          onChoose={choose}
          onClear={() => onChange('')}
          onDone={() => setOpen(false)}
          onCancel={() => setOpen(false)}
          onTab={() => setOpen(false)}
        />
      )}
    </fieldset>
  );
}
