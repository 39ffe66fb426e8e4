import { messageOfError, useHost, useT, type EditorProps } from '@trellis/sdk/web';
import { Popover, SearchList, type SearchOption } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { fold, titlesOf, withOption, type SelectOptions } from '../shared/index.ts';
import { MultiSelectCell } from './SelectCell.tsx';

type Props = EditorProps<string, SelectOptions>;

export function SingleSelectEditor(props: Props) {
  const { value, onCommit } = props;
  const choose = (title: string) => onCommit(title === value ? null : title, 'down');
  return <SelectList {...props} chosen={titlesOf(value)} onChoose={choose} onDone={props.onCancel} />;
}

export function MultiSelectEditor(props: Props) {
  const [titles, setTitles] = useState(titlesOf(props.value));
  const text = titles.length === 0 ? null : titles.join(',');
  function choose(title: string) {
    const others = titles.filter((of) => fold(of) !== fold(title));
    const next = others.length < titles.length ? others : [...titles, title];
    setTitles(next);
    props.onChange({ kind: 'value', value: next.length === 0 ? null : next.join(',') });
  }
  return (
    <SelectList {...props} chosen={titles} isMultiple onChoose={choose} onDone={() => props.onCommit(text)} />
  );
}

interface SelectListProps extends Props {
  readonly chosen: readonly string[];
  readonly isMultiple?: boolean;
  readonly onChoose: (title: string) => void;
  readonly onDone: () => void;
}

/** The options under the cell. What is typed narrows them; what none of them is called can be made one. */
function SelectList(props: SelectListProps) {
  const { chosen, column, options, initialText = '', isMultiple = false, onChoose, onDone } = props;
  const host = useHost();
  const t = useT();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [made, setMade] = useState<SelectOptions>();
  const all = made ?? options;
  const mayAdd = props.project?.role === 'owner' || props.project?.role === 'creator';
  const isChosen = (title: string) => chosen.some((of) => fold(of) === fold(title));

  const lines: SearchOption[] = all.options.map(({ id, title, color }) => ({
    id,
    label: title,
    swatch: color,
    ...(isMultiple && { isChecked: isChosen(title) }),
  }));

  /** Makes an option of the column, and chooses it. */
  async function make(title: string) {
    const next = withOption(all, title, `sl_${crypto.randomUUID()}`);
    const path = `/api/v1/db/meta/columns/${encodeURIComponent(column.id)}`;
    try {
      await host.api.request({
        method: 'PATCH',
        path,
        body: { title: column.title, uidt: column.uidt, meta: { ...column.meta, ...next } },
      });
      host.invalidate([`table:${column.fk_model_id}`]);
      setMade(next);
      onChoose(title.trim());
    } catch (error) {
      host.toast({ severity: 'error', summary: messageOfError(error, t) });
    }
  }

  return (
    <span ref={setAnchor} className="cs-editor">
      <MultiSelectCell
        value={chosen.join(',') || null}
        row={undefined}
        column={column}
        options={all}
        selected
      />
      {anchor !== null && (
        <Popover label={column.title} anchor={anchor} width={240} onClose={onDone}>
          <SearchList
            label={mayAdd ? t('Find or add an option') : t('Find an option')}
            listLabel={t('Options')}
            emptyText={mayAdd ? t('No options yet. Type a name to add one.') : t('No option matches.')}
            initialSearch={initialText}
            value={all.options.find(({ title }) => isChosen(title))?.id}
            options={lines}
            adding={{
              label: (text) =>
                mayAdd && !(isMultiple && text.includes(','))
                  ? t('Add “{{title}}”', { title: text })
                  : undefined,
              onAdd: (text) => void make(text),
            }}
            onChoose={(id) => {
              const title = all.options.find((of) => of.id === id)?.title;
              if (title !== undefined) onChoose(title);
            }}
            onCancel={onDone}
          />
        </Popover>
      )}
    </span>
  );
}
