import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { nameOfRow, useHost } from '@trellis/sdk/web';
import { PickButton, PickPanel } from '@trellis/sdk/web/ui';
import { RowPicker } from '@trellis/sdk/web/views';
import { useState } from 'react';

/** The row that a dry run is tried with. */
export interface ChosenRow {
  readonly key: string;
  readonly name: string;
}

interface TryRowProps {
  readonly project: ProjectEntity;
  /** With its columns. */
  readonly table: TableEntity;
  /** Undefined for the first row of the table. */
  readonly row: ChosenRow | undefined;
  readonly onChange: (row: ChosenRow | undefined) => void;
}

/** The choice of the row that a dry run is tried with, by what names it. */
export function TryRow({ project, table, row, onChange }: TryRowProps) {
  const { t } = useHost();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  const label = t('Row to try it with');
  const shown = row === undefined ? t('First row of the table') : row.name;
  const choose = (next: ChosenRow | undefined) => {
    setOpen(false);
    onChange(next);
    anchor?.focus();
  };
  return (
    <div className="tr-text-input automations-try-row">
      <PickButton ref={setAnchor} label={`${label}, ${shown}`} isOpen={isOpen} onOpen={() => setOpen(true)}>
        <span dir="auto">{shown}</span>
      </PickButton>
      {isOpen && anchor !== null && (
        <PickPanel
          label={label}
          anchor={anchor}
          width={320}
          isMultiple={false}
          onClear={row === undefined ? undefined : () => choose(undefined)}
          onDone={() => setOpen(false)}
          onCancel={() => choose(row)}
        >
          <RowPicker
            project={project}
            table={table}
            onChoose={(found, key) => {
              if (key !== undefined)
                choose({ key, name: nameOfRow(table, found) || t('Row {{key}}', { key }) });
            }}
          />
        </PickPanel>
      )}
    </div>
  );
}
