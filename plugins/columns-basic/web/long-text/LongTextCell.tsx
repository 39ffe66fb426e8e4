import { useT, type CellProps } from '@trellis/sdk/web';
import { Popover } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { LongTextOptions } from '../../shared/index.ts';
import { LongTextPanel } from './LongTextPanel.tsx';
import { lineOf } from './markdown-blocks.ts';
import { MarkdownView } from './MarkdownView.tsx';

/** A long text on one line, without its marks where it has some; a selected one opens whole. */
export function LongTextCell({
  value,
  column,
  options,
  selected,
  onChange,
}: CellProps<string, LongTextOptions>) {
  const t = useT();
  const [opened, setOpened] = useState<{ readonly anchor: HTMLElement; readonly text: string }>();
  const text = value === null ? '' : String(value);
  const close = () => setOpened(undefined);
  return (
    <span className="cb-long-cell">
      <span className="tr-cell">{options.richMode ? lineOf(text) : value}</span>
      {selected && text !== '' && (
        <button
          type="button"
          className="cb-long-open"
          tabIndex={-1}
          title={t('Open the whole text')}
          aria-label={t('Open the whole text')}
          aria-haspopup="dialog"
          onPointerDown={(event) => event.stopPropagation()}
          onDoubleClick={(event) => event.stopPropagation()}
          onClick={(event) => {
            event.stopPropagation();
            setOpened({ anchor: event.currentTarget, text });
          }}
        >
          <i className="pi pi-expand" aria-hidden="true" />
        </button>
      )}
      {opened !== undefined &&
        (onChange === undefined ? (
          <Popover label={column.title} anchor={opened.anchor} width={520} onClose={close}>
            <div className="cb-long-shown">
              {options.richMode ? <MarkdownView text={text} /> : <p className="cb-long-plain">{text}</p>}
            </div>
          </Popover>
        ) : (
          <LongTextPanel
            anchor={opened.anchor}
            text={opened.text}
            label={column.title}
            isRich={options.richMode}
            onChange={(next) => setOpened({ ...opened, text: next })}
            onCommit={() => {
              close();
              if (opened.text !== text) onChange(opened.text === '' ? null : opened.text);
            }}
            onCancel={close}
          />
        ))}
    </span>
  );
}
