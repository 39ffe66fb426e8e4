import { kindOfEach, useT, type OptionsPanelProps } from '@trellis/sdk/web';
import { Notice, Select } from '@trellis/sdk/web/ui';
import { numberFunctions, rollupFunctions, type RollupFunction, type WayOptions } from '../shared/index.ts';
import { useEffect, useId } from 'react';
import { linkOf, useLinkedTable } from './link-calls.ts';
import { columnsFor, proposedColumn } from './way-columns.ts';

const functionLabels: Readonly<Record<RollupFunction, string>> = {
  count: 'Filled',
  countDistinct: 'Unique',
  sum: 'Sum',
  sumDistinct: 'Sum of unique values',
  avg: 'Average',
  avgDistinct: 'Average of unique values',
  min: 'Minimum',
  max: 'Maximum',
};

interface Parts {
  readonly column: boolean;
  readonly function: boolean;
}

/** The panel of a column that follows a link: asks for the link and, if needed, for the column and the summary. */
export function wayOptionsPanel(parts: Parts) {
  return function WayOptionsPanel(props: OptionsPanelProps<WayOptions>) {
    return <Way {...props} parts={parts} />;
  };
}

function Way({
  options,
  columns = [],
  column,
  onChange,
  parts,
}: OptionsPanelProps<WayOptions> & { readonly parts: Parts }) {
  const t = useT();
  const whyId = useId();
  const isMade = column !== undefined;
  const links = columns.filter((of) => {
    const link = linkOf(of);
    // A summary needs several rows.
    return link !== undefined && !of.system && !(parts.function && link.type === 'bt');
  });
  const chosen = links.find(({ id }) => id === options.relationColumnId);
  const other = useLinkedTable(chosen && linkOf(chosen)?.tableId);
  const fn = options.function;
  const ofOther = (other?.columns ?? []).map((of) => ({ column: of, kind: kindOfEach(of) }));
  const reachable = columnsFor(parts.function ? fn : undefined, ofOther);
  const only =
    !isMade && options.relationColumnId === undefined && links.length === 1 ? links[0]?.id : undefined;
  const proposed =
    !isMade && parts.column && options.columnId === undefined
      ? proposedColumn(options, parts.function, ofOther)
      : undefined;
  useEffect(() => {
    // There is only one choice, or most people mean this one.
    if (only !== undefined) onChange({ ...options, relationColumnId: only });
    else if (proposed !== undefined) onChange({ ...options, ...proposed });
  });
  const columnLack = whyNoColumn();

  /** Explains why no column can be chosen; only for a new column. */
  function whyNoColumn(): string | undefined {
    if (isMade || !parts.column) return undefined;
    if (only !== undefined) return undefined;
    if (chosen === undefined) return t('The columns are there as soon as a link is chosen.');
    if (other === undefined || reachable.length > 0) return undefined;
    const { title: table } = other;
    return fn !== undefined && numberFunctions.includes(fn)
      ? t('“{{table}}” has no column of numbers. Choose another summary or another link.', { table })
      : t('“{{table}}” has no column to choose. Choose another link.', { table });
  }

  if (options.error !== undefined) return <Notice severity="warn">{t(options.error)}</Notice>;
  if (links.length === 0)
    return (
      <Notice severity="info">
        {t('This goes over a link. Add a column of the type “Link to another table” first.')}
      </Notice>
    );
  const described = isMade || columnLack !== undefined ? whyId : undefined;
  return (
    <>
      <label className="tr-field">
        <span>{t('Link')}</span>
        <Select
          label={t('Link')}
          disabled={isMade}
          describedBy={isMade ? whyId : undefined}
          value={options.relationColumnId ?? ''}
          options={[
            { value: '', label: t('Choose a link …') },
            ...links.map(({ id, title }) => ({ value: id, label: title })),
          ]}
          onChange={(relationColumnId) => onChange({ relationColumnId })}
        />
      </label>
      {parts.function && (
        <label className="tr-field">
          <span>{t('Summary')}</span>
          <Select
            label={t('Summary')}
            disabled={isMade}
            describedBy={isMade ? whyId : undefined}
            value={fn ?? ''}
            options={[
              { value: '', label: t('Choose a summary …') },
              ...rollupFunctions.map((value) => ({ value, label: t(functionLabels[value]) })),
            ]}
            onChange={(next) => {
              const isKept = columnsFor(next, ofOther).some(({ id }) => id === options.columnId);
              const { columnId, ...others } = options;
              onChange({ ...others, ...(isKept && { columnId }), function: next });
            }}
          />
        </label>
      )}
      {parts.column && (
        <label className="tr-field">
          <span>{t('Column of the linked rows')}</span>
          <Select
            label={t('Column of the linked rows')}
            disabled={isMade || chosen === undefined || columnLack !== undefined}
            describedBy={described}
            value={options.columnId ?? ''}
            options={[
              { value: '', label: t('Choose a column …') },
              ...reachable.map(({ id, title }) => ({ value: id, label: title })),
            ]}
            onChange={(columnId) => onChange({ ...options, columnId })}
          />
        </label>
      )}
      {isMade && (
        <p id={whyId} className="tr-note">
          {t('What a column is made of stays as it is. For something else, add another column.')}
        </p>
      )}
      {columnLack !== undefined && (
        <p id={whyId} className="tr-note" role="status">
          {columnLack}
        </p>
      )}
    </>
  );
}
