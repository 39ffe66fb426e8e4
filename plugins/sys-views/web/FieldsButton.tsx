import type { ViewEntity } from '@trellis/sdk/shared';
import { useHost, useRegistryItem, useT, type ApiRequest, type ViewProps } from '@trellis/sdk/web';
import { hasFields, numbersOfMove, PopoverButton } from '@trellis/sdk/web/ui';
import {
  FieldEditor,
  useLockReason,
  useShownUntilRead,
  useViewColumns,
  type FieldPlace,
  type ViewColumn,
} from '@trellis/sdk/web/views';
import { useState } from 'react';
import { ColumnOptions } from './ColumnOptions.tsx';
import { itemPath, optionsPermission, useTellRefusal, useViewCalls, viewPath } from './use-view-calls.ts';
import { useShownEarly } from './use-shown-early.ts';

const none: readonly ViewColumn[] = [];

export function FieldsButton(props: ViewProps) {
  const t = useT();
  const { columns = none } = useViewColumns(props);
  const hidden = columns.filter(({ column, inView }) => !inView.show && !column.system).length;
  return (
    <PopoverButton icon="eye-slash" label={t('Fields')} count={hidden}>
      {() => <FieldsPanel {...props} fields={columns} />}
    </PopoverButton>
  );
}

function FieldsPanel(props: ViewProps & { readonly fields: readonly ViewColumn[] }) {
  const { view, table } = props;
  const { shown: fields, showEarly, takeBack } = useShownEarly(props.fields);
  const { send } = useViewCalls(view);
  const type = useRegistryItem('viewTypes', view.view_type);
  const [edited, setEdited] = useState<string>();
  const locked = useLockReason(props, 'viewColumnUpdate');
  const hasOptions = type?.ColumnSettingsPanel !== undefined || hasFields(type?.columnOptions);
  const maySet = useLockReason(props, optionsPermission(type)) === undefined;

  const systemFields = useSystemFields(props, maySet);

  function change(next: readonly FieldPlace[]) {
    const byColumn = new Map(fields.map((field) => [field.column.id, field]));
    const placed = next.flatMap(({ columnId, isShown }): readonly ViewColumn[] => {
      const field = byColumn.get(columnId);
      return field ? [{ ...field, inView: { ...field.inView, show: isShown } }] : [];
    });
    const numbered = renumbered(fields, placed);
    showEarly(numbered);
    for (const request of requestsFor(view, fields, numbered)) void send(request, takeBack);
  }

  const open = fields.find(({ column }) => column.id === edited);
  if (open !== undefined && hasOptions && maySet)
    return <ColumnOptions {...props} of={open} onClose={() => setEdited(undefined)} />;

  return (
    <div className="views-list">
      {locked && <p className="tr-note">{locked}</p>}
      <FieldEditor
        columns={table.columns ?? []}
        value={fields.map(({ column, inView }) => ({ columnId: column.id, isShown: inView.show }))}
        readOnly={locked !== undefined}
        onOptions={hasOptions && maySet ? setEdited : undefined}
        onChange={change}
        {...systemFields}
      />
    </div>
  );
}

/**
 * Whether system fields are offered: as the view stores it; people who may not change that can change it until the list is closed.
 */
function useSystemFields({ view }: ViewProps, isKept: boolean) {
  const { api, invalidate } = useHost();
  const [own, setOwn] = useState<boolean>();
  const tell = useTellRefusal();
  const { shown, save } = useShownUntilRead(view, async (withSystem: boolean) => {
    try {
      await api.request({
        method: 'PATCH',
        path: viewPath(view),
        body: { show_system_fields: withSystem },
      });
    } finally {
      // The views are read with their table.
      invalidate([`table:${view.fk_model_id}`]);
    }
  });
  return {
    withSystem: own ?? shown ?? Boolean(view.show_system_fields),
    onWithSystem(withSystem: boolean) {
      if (isKept) save(withSystem).catch((error: unknown) => tell(error));
      else setOwn(withSystem);
    },
  };
}

/** Fields in a new order, with the numbers that store it. One field is moved at a time. */
function renumbered(before: readonly ViewColumn[], after: readonly ViewColumn[]): readonly ViewColumn[] {
  const isMoved = (field: ViewColumn, at: number): boolean => field.column.id !== before[at]?.column.id;
  const start = after.findIndex(isMoved);
  if (start < 0) return after;
  const end = after.findLastIndex(isMoved);
  // The moved field went from one end of the changed range to the other.
  const isDown = after[end]?.column.id === before[start]?.column.id;
  const orders = before.map(({ inView }) => inView.order);
  const numbers = numbersOfMove(orders, isDown ? start : end, isDown ? end : start);
  return after.map((field) => {
    const order = numbers.get(before.findIndex(({ column }) => column.id === field.column.id));
    return order === undefined ? field : { ...field, inView: { ...field.inView, order } };
  });
}

/** The requests of a change: many fields are shown or hidden in one call. */
function requestsFor(
  view: ViewEntity,
  before: readonly ViewColumn[],
  after: readonly ViewColumn[],
): readonly ApiRequest[] {
  const known = new Map(before.map((field) => [field.column.id, field.inView]));
  const changed = (of: 'show' | 'order'): readonly ViewColumn[] =>
    after.filter(({ column, inView }) => known.get(column.id)?.[of] !== inView[of]);
  const patch = ({ inView }: ViewColumn, body: object): ApiRequest => ({
    method: 'PATCH',
    path: itemPath('grid-columns', inView.id),
    body,
  });
  const shown = changed('show');
  const [first] = shown;
  if (first === undefined || shown.length === 1)
    return [
      ...shown.map((field) => patch(field, { show: field.inView.show })),
      ...changed('order').map((field) => patch(field, { order: field.inView.order })),
    ];
  if (first.inView.show) {
    const left = after.filter(({ inView }) => !inView.show).map(({ column }) => column.id);
    const query = left.length === 0 ? undefined : { 'ignoreIds[]': left };
    return [{ method: 'POST', path: viewPath(view, '/show-all'), query }];
  }
  const kept = after.find(({ column }) => column.pv)?.column.id;
  return [{ method: 'POST', path: viewPath(view, '/hide-all'), query: { 'ignoreIds[]': kept } }];
}
