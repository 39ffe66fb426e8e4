import { useT } from '@trellis/sdk/web';
import { Select } from '@trellis/sdk/web/ui';
import { linkActions, type LinkAction } from '../shared/index.ts';

const onDelete: Readonly<Record<LinkAction, string>> = {
  'no action': 'Refuse it while rows are linked',
  restrict: 'Refuse it at once while rows are linked',
  cascade: 'Delete the linked rows as well',
  'set null': 'Take the links away',
  'set default': 'Link the rows to the default of their key',
};
const onUpdate: Readonly<Record<LinkAction, string>> = {
  ...onDelete,
  cascade: 'Follow the new key',
};
/** If a junction table holds the links, the actions apply to the links of the row. */
const ofJunction: Readonly<Partial<Record<LinkAction, string>>> = {
  'no action': onDelete['no action'],
  restrict: onDelete.restrict,
  cascade: 'Take the links away',
};

interface LinkActionsProps {
  readonly kind: 'hm' | 'bt' | 'mm';
  /** The table that the links point to. */
  readonly parent: string;
  readonly value: { readonly onDelete?: LinkAction | undefined; readonly onUpdate?: LinkAction | undefined };
  /** Without it the actions are only shown. */
  readonly onChange?: ((value: LinkActionsProps['value']) => void) | undefined;
  /** Whether the database does not support key defaults. */
  readonly lacksDefault?: boolean;
}

/** What happens to links when a row is deleted or gets another key. */
export function LinkActions({ kind, parent, value, onChange, lacksDefault = false }: LinkActionsProps) {
  const t = useT();
  const fields = [
    { name: 'onDelete', label: t('When a row of {{table}} is deleted', { table: parent }), texts: onDelete },
    {
      name: 'onUpdate',
      label: t('When the key of a row of {{table}} changes', { table: parent }),
      texts: onUpdate,
    },
  ] as const;
  return fields.map(({ name, label, texts }) => {
    const shown =
      kind === 'mm' ? { ...ofJunction, ...(name === 'onUpdate' && { cascade: texts.cascade }) } : texts;
    const actions = linkActions.filter(
      (action) => shown[action] !== undefined && !(lacksDefault && action === 'set default'),
    );
    return (
      <label key={name} className="tr-field">
        <span>{label}</span>
        <Select
          label={label}
          disabled={onChange === undefined}
          value={value[name] ?? 'no action'}
          options={actions.map((action) => ({ value: action, label: t(shown[action] ?? '') }))}
          onChange={(action) => onChange?.({ ...value, [name]: action })}
        />
      </label>
    );
  });
}
