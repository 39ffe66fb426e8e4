import { useT, type CellProps } from '@trellis/sdk/web';
import { Popover } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { LongTextOptions } from '../../shared/index.ts';
import { lineOf } from './markdown-blocks.ts';
import { MarkdownView } from './MarkdownView.tsx';

/** A long text on one line, without its Markdown marks; a selected cell opens the whole text, for editing if that is allowed. */
export function LongTextCell({
  value,
  column,
  options,
  selected,
  openWhole,
}: CellProps<string, LongTextOptions>) {
  const t = useT();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const text = value === null ? '' : String(value);
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
            if (openWhole === undefined) setAnchor(event.currentTarget);
            else openWhole();
          }}
        >
          <i className="pi pi-expand" aria-hidden="true" />
        </button>
      )}
      {anchor !== undefined && (
        <Popover label={column.title} anchor={anchor} width={520} onClose={() => setAnchor(undefined)}>
          <div className="cb-long-shown">
            {options.richMode ? <MarkdownView text={text} /> : <p className="cb-long-plain">{text}</p>}
          </div>
        </Popover>
      )}
    </span>
  );
}
