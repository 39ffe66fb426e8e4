import { useT } from '@trellis/sdk/web';
import { Choices } from '@trellis/sdk/web/ui';
import type { DatabaseKind } from './database-requests.ts';

/** Chooses the kind of a database. */
export function KindChoice(props: {
  readonly kinds: readonly DatabaseKind[];
  readonly value: string;
  readonly onChange: (kind: string) => void;
}) {
  const t = useT();
  return (
    <div className="tr-field">
      <span>{t('Database type')}</span>
      <Choices
        label={t('Database type')}
        value={props.value}
        options={props.kinds.map(({ id, label }) => ({ value: id, label: t(label) }))}
        onChange={props.onChange}
      />
    </div>
  );
}
