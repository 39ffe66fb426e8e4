import type { ApiClient, OpenedCell } from '@trellis/sdk/web';
import type { CellValue } from '@trellis/sdk/shared';
import { addressOf, button, type ButtonOptions } from '../shared/index.ts';
import { linkOf } from './links.ts';

/** The parts of a cell that a press needs. */
export type Pressed = Pick<OpenedCell, 'column' | 'rowKey' | 'row'>;

export function optionsOf({ meta }: OpenedCell['column']): ButtonOptions {
  return { ...button.options?.defaults, ...meta } as ButtonOptions;
}

/** A button's target, as text or as a value of `URL`; undefined for scripts and invalid addresses. */
export function targetOf(value: CellValue | undefined): string | undefined {
  return typeof value === 'string' ? linkOf(addressOf(value) ?? value) : undefined;
}

/** Opens a button's link or runs its action; the request's own message reports the outcome to the person. */
export async function pressButton(api: ApiClient, { column, rowKey, row }: Pressed): Promise<void> {
  const { action, label } = optionsOf(column);
  if (action === 'link') {
    const target = targetOf(row[column.title]);
    if (target !== undefined) window.open(target, '_blank', 'noopener,noreferrer');
    return;
  }
  const path = `/api/v1/plugins/columns-formula/columns/${encodeURIComponent(column.id)}/press`;
  try {
    await api.request({ method: 'POST', path, body: { rowKey }, label: label || column.title });
  } catch {
    // The request's message has given the reason.
  }
}
