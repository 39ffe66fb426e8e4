import { useT, type EditorProps, hasPermission } from '@trellis/sdk/web';
import { PickField, PickPanel, SearchList, type SearchOption } from '@trellis/sdk/web/ui';
import { readTextList, writeTextList, type SelectOptions } from '@trellis/sdk/shared';
import { useState, type KeyboardEvent } from 'react';
import { fold, optionOf, titlesOf } from '../shared/index.ts';
import { OptionChips } from './SelectCell.tsx';
import { useAddOption } from './use-add-option.ts';

type Props = EditorProps<string, SelectOptions>;
type Move = Parameters<Props['onCommit']>[1];

export function SingleSelectEditor(props: Props) {
  const { value, onCommit, onCancel } = props;
  return (
    <SelectField
      {...props}
      chosen={value === null || value === '' ? [] : [value]}
      onChoose={(title) => onCommit(title, 'down')}
      onLeave={onCancel}
      onTab={(title, move) => onCommit(title ?? value, move)}
    />
  );
}

/** How several titles are written as one text. */
interface Writing {
  readonly read: (text: string | null) => readonly string[];
  readonly write: (titles: readonly string[]) => string;
}

/** The format of cells, whose options contain no commas. */
const inCell: Writing = { read: titlesOf, write: (titles) => titles.join(',') };
/** The format of filters, which also name options of columns with a single option. */
const inFilter: Writing = { read: (text) => readTextList(text ?? ''), write: writeTextList };

export function MultiSelectEditor(props: Props) {
  return <SeveralEditor {...props} {...inCell} />;
}

/** The same for the titles of a filter. */
export function OptionListEditor(props: Props) {
  return <SeveralEditor {...props} {...inFilter} />;
}

function SeveralEditor({ read, write, ...props }: Props & Writing) {
  const [titles, setTitles] = useState(() => read(props.value));
  const textOf = (of: readonly string[]) => (of.length === 0 ? null : write(of));
  const without = (title: string) => titles.filter((of) => fold(of) !== fold(title));
  function choose(title: string) {
    const others = without(title);
    const next = others.length < titles.length ? others : [...titles, title];
    setTitles(next);
    props.onChange({ kind: 'value', value: textOf(next) });
  }
  return (
    <SelectField
      {...props}
      chosen={titles}
      isMultiple
      onChoose={choose}
      onLeave={() => props.onCommit(textOf(titles))}
      onTab={(title, move) =>
        props.onCommit(textOf(title === undefined ? titles : [...without(title), title]), move)
      }
    />
  );
}

interface SelectFieldProps extends Props {
  readonly chosen: readonly string[];
  readonly isMultiple?: boolean;
  readonly onChoose: (title: string) => void;
  /** Called after a press outside, or on the button that closes the list. */
  readonly onLeave: () => void;
  /** Called for Tab, with the typed or highlighted title. */
  readonly onTab: (title: string | undefined, move: Move) => void;
}

/** The chosen options, and the list below: open at once if the person came to edit, after a press in a form. */
function SelectField(props: SelectFieldProps) {
  const { autoFocus, chosen, column, options, isMultiple = false, onCommit, onCancel } = props;
  const adding = useAddOption(props);
  return (
    <PickField
      title={column.title}
      chosen={chosen}
      isOpenAtFirst={autoFocus}
      shown={<OptionChips titles={chosen} options={adding.made ?? options} />}
      onClear={() => {
        if (!column.rqd) onCommit(null);
      }}
    >
      {(anchor, closing) => (
        <SelectPopover
          {...props}
          anchor={anchor}
          adding={adding}
          onChoose={isMultiple ? props.onChoose : closing(props.onChoose)}
          onCommit={closing(onCommit)}
          onCancel={closing(onCancel)}
          // An option that is being added is chosen when it exists.
          onLeave={adding.name === undefined ? closing(props.onLeave) : () => undefined}
          onTab={closing(props.onTab)}
        />
      )}
    </PickField>
  );
}

interface SelectPopoverProps extends SelectFieldProps {
  readonly anchor: HTMLElement;
  readonly adding: ReturnType<typeof useAddOption>;
}

/** The options. Typing filters them; a text that matches none can be added as an option. */
function SelectPopover(props: SelectPopoverProps) {
  const { chosen, column, isMultiple = false, adding, onChoose, onCommit, onCancel, onLeave } = props;
  const t = useT();
  const all = adding.made ?? props.options;
  const mayAdd = hasPermission('columnUpdate', props.project);
  const isChosen = (title: string) => chosen.some((of) => fold(of) === fold(title));
  const titleOf = (id: string | undefined) => all.options.find((of) => of.id === id)?.title;
  const hasComma = (text: string) => isMultiple && text.includes(',');

  const lines: SearchOption[] = all.options.map(({ id, title, color }) => ({
    id,
    label: title,
    swatch: color,
    ...(isMultiple && { isChecked: isChosen(title) }),
  }));

  function emptyText(text: string): string {
    if (!mayAdd) return t('No option matches.');
    return hasComma(text)
      ? t('The name of an option cannot contain a comma here.')
      : t('No options yet. Type a name to add one.');
  }

  function addLabel(title: string): string | undefined {
    if (adding.name !== undefined) return t('Adding “{{title}}” …', { title });
    return mayAdd && !hasComma(title) ? t('Add “{{title}}”', { title }) : undefined;
  }

  async function add(text: string): Promise<string | undefined> {
    const option = await adding.add(text);
    if (option !== undefined && !isChosen(option.title)) onChoose(option.title);
    return option?.id;
  }

  /** Passes the typed text to the cell, which keeps it until the option exists, so that the person can continue. */
  function takesAlong(text: string, key: 'Tab' | 'Enter'): boolean {
    const { onLate } = props;
    if (onLate === undefined || (isMultiple && key === 'Enter')) return false;
    const textWith = (title: string) => (isMultiple ? [...chosen, title].join(',') : title);
    props.onChange({ kind: 'text', text: textWith(text) });
    void adding.add(text).then((option) => {
      if (option !== undefined) onLate(() => textWith(option.title));
    });
    return true;
  }

  function leaveByTab(event: KeyboardEvent, id: string | undefined) {
    // In the grid the next cell follows; in a form the browser finds the next field.
    if (props.autoFocus) event.preventDefault();
    props.onTab(titleOf(id), event.shiftKey ? 'left' : 'right');
  }

  return (
    <PickPanel
      label={column.title}
      anchor={props.anchor}
      width={240}
      isMultiple={isMultiple}
      onClear={chosen.length > 0 && !column.rqd ? () => onCommit(null) : undefined}
      onDone={onLeave}
      onCancel={onCancel}
    >
      <SearchList
        label={mayAdd ? t('Find or add an option') : t('Find an option')}
        listLabel={t('Options')}
        emptyText={emptyText}
        initialSearch={props.initialText}
        value={chosen[0] === undefined ? undefined : optionOf(all, chosen[0])?.id}
        options={lines}
        adding={{ label: addLabel, onAdd: add, takesAlong }}
        onChoose={(id) => {
          const title = titleOf(id);
          if (title !== undefined) onChoose(title);
        }}
        onTab={leaveByTab}
      />
    </PickPanel>
  );
}
