import { useT, type ViewSettingsProps } from '@trellis/sdk/web';
import { Choices, Field, pageLanguage, Select } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';
import { mostFrozen, pageSizes, type GridOptions, type RowHeight } from '../shared/index.ts';

/** The settings of how a grid shows its rows. */
export default function GridSettings({ table, settings, onChange }: ViewSettingsProps): ReactNode {
  const t = useT();
  const { rowHeight, pageSize, frozenColumns, groups } = settings as unknown as GridOptions;
  const change = (changed: Partial<GridOptions>) => onChange({ ...settings, ...changed });
  const most = Math.max(frozenColumns, Math.min(mostFrozen, table.columns?.length ?? 0));
  const isGrouped = groups.length > 0;
  return (
    <>
      <Field label={t('Row height')}>
        <Choices<RowHeight>
          label={t('Row height')}
          value={rowHeight}
          options={[
            { value: 'short', label: t('Short') },
            { value: 'medium', label: t('Medium') },
            { value: 'tall', label: t('Tall') },
            { value: 'extraTall', label: t('Extra tall') },
          ]}
          onChange={(next) => change({ rowHeight: next })}
        />
      </Field>
      <Field label={t('Rows per page')}>
        <Select
          label={t('Rows per page')}
          value={String(pageSize)}
          options={pageSizes.map((size) => ({
            value: String(size),
            label: size === 0 ? t('All rows, scrolled') : size.toLocaleString(pageLanguage()),
          }))}
          onChange={(next) => change({ pageSize: Number(next) })}
        />
        {isGrouped && pageSize > 0 && (
          <p className="tr-note">
            {t('While rows are grouped they are not shown in pages; groups can be collapsed instead.')}
          </p>
        )}
      </Field>
      <Field label={t('Frozen columns')}>
        <Select
          label={t('Frozen columns')}
          value={String(frozenColumns)}
          options={Array.from({ length: most + 1 }, (_, count) => ({
            value: String(count),
            label: count === 0 ? t('None') : String(count),
          }))}
          onChange={(next) => change({ frozenColumns: Number(next) })}
        />
      </Field>
    </>
  );
}
