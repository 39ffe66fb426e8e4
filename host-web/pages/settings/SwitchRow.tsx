import { Switch } from '@trellis/sdk/web/ui';
import { useId } from 'react';

interface SwitchRowProps {
  readonly label: string;
  readonly hint: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A switch with an explanation. */
export function SwitchRow({ label, hint, checked, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <div className="tr-settings-row">
      <label htmlFor={id}>
        {label}
        <small>{hint}</small>
      </label>
      <Switch id={id} checked={checked} onChange={onChange} />
    </div>
  );
}
