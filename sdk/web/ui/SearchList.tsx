import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { Icon } from './Icon.tsx';
import { matchesSearch } from './SearchField.tsx';

/** One thing to choose. @public */
export interface SearchOption {
  readonly id: string;
  readonly label: string;
  /** A name of the icon font without its prefix, or an emoji. */
  readonly icon?: string;
  /** A colour before the label, as `#rrggbb`. */
  readonly swatch?: string;
  /** For lists of several choices: whether this one is chosen. */
  readonly isChecked?: boolean;
  /** Below the label; included in searches. */
  readonly detail?: string;
  /** Further names for searches, not shown. */
  readonly words?: string;
  /** At the end of the line, such as keys. */
  readonly hint?: string;
  /** Its heading; options of one group must be adjacent. */
  readonly group?: string;
}

/** The props of a list with a search field above it. @public */
export interface SearchListProps {
  /** The name of the search field. */
  readonly label: string;
  /** The name of the list. */
  readonly listLabel: string;
  readonly options: readonly SearchOption[];
  /** The chosen option's id. */
  readonly value?: string;
  /** Shown if nothing matches the typed text. */
  readonly emptyText: string | ((this: void, text: string) => string);
  /** Called with the typed text, for further options from elsewhere. */
  onSearch?(this: void, text: string): void;
  /** The initial text of the search field. */
  readonly initialSearch?: string;
  /** Offered as the last line for a text that is no option's label; its label is undefined for texts that cannot be added. */
  readonly adding?: {
    label(this: void, text: string): string | undefined;
    /** Returns the new option's id; undefined if it was not added, and then the text stays for another try. */
    onAdd(this: void, text: string): Promise<string | undefined>;
    /** On Tab and Enter. True if the text is handled elsewhere, so that the key is passed on to the list's container. */
    takesAlong?(this: void, text: string, key: 'Tab' | 'Enter'): boolean;
  };
  onChoose(this: void, id: string): void;
  /** On Escape. Without it the key is passed on to the list's container. */
  onCancel?(this: void): void;
  /** On Tab, with the typed or highlighted option. Without it the key is passed on to the list's container. */
  onTab?(this: void, event: KeyboardEvent, id: string | undefined): void;
}

/** The id of the line that adds the typed text; ids of options are not empty. */
const addedId = '';

/** A combobox: typing filters the list, the arrow keys move in it, Enter chooses. @public */
export function SearchList(props: SearchListProps): ReactNode {
  const { options, value, onChoose, onCancel } = props;
  const id = useId();
  const [search, setSearch] = useState(props.initialSearch ?? '');
  const [activeId, setActiveId] = useState(value);
  const [isWalked, setWalked] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const text = search.trim();
  const found = bestFirst(
    options.filter(({ label, detail, words }) =>
      matchesSearch([label, detail, words].filter((part) => part !== undefined).join(' '), text),
    ),
    text,
  );
  const isNew = text !== '' && options.every(({ label }) => label.toLowerCase() !== text.toLowerCase());
  const addLabel = isNew ? props.adding?.label(text) : undefined;
  const shown = addLabel === undefined ? found : [...found, { id: addedId, label: addLabel, icon: 'plus' }];
  const active = shown.find((option) => option.id === activeId) ?? shown[0];
  const optionId = (of: string) => `${id}-${of}`;
  const activeOption = active && optionId(active.id);

  useEffect(() => {
    if (activeOption !== undefined) {
      document.getElementById(activeOption)?.scrollIntoView?.({ block: 'nearest' });
    }
  }, [activeOption]);

  function choose(chosen: string): void {
    if (isAdding) return;
    if (chosen === addedId) return void add();
    onChoose(chosen);
    setSearch('');
    setActiveId(chosen);
  }

  async function add(): Promise<void> {
    setAdding(true);
    const added = await props.adding?.onAdd(text).finally(() => setAdding(false));
    if (added === undefined) return;
    setSearch('');
    setActiveId(added);
  }

  function leave(event: KeyboardEvent): void {
    if (active?.id === addedId) {
      choose(addedId);
      event.preventDefault();
    } else {
      const isMeant = text !== '' || (isWalked && active?.isChecked === undefined);
      props.onTab?.(event, isMeant ? active?.id : undefined);
    }
    event.stopPropagation();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const at = active ? shown.indexOf(active) : -1;
    const last = shown.length - 1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 }[event.key];
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    const isLeft = (key === 'Tab' || key === 'Enter') && active?.id === addedId && !isAdding;
    if (isLeft && props.adding?.takesAlong?.(text, key) === true) return;
    if (event.key === 'Tab' && props.onTab) return leave(event);
    if (event.key === 'Enter') {
      if (active) choose(active.id);
    } else if (event.key === 'Escape' && onCancel) onCancel();
    else if (to !== undefined) {
      setActiveId(shown[Math.max(0, Math.min(to, last))]?.id);
      setWalked(true);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div className="tr-search-list">
      <input
        className="p-inputtext p-component"
        role="combobox"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={activeOption}
        value={search}
        placeholder={props.label}
        aria-label={props.label}
        readOnly={isAdding}
        autoFocus
        onChange={(event) => {
          setSearch(event.target.value);
          setActiveId(undefined);
          props.onSearch?.(event.target.value.trim());
        }}
        onKeyDown={onKeyDown}
      />
      <ul
        id={id}
        role="listbox"
        aria-label={props.listLabel}
        aria-multiselectable={options.some(({ isChecked }) => isChecked !== undefined) || undefined}
      >
        {shown.map((option, index) => (
          <Option
            key={option.id}
            option={option}
            id={optionId(option.id)}
            heading={option.group === shown[index - 1]?.group ? undefined : option.group}
            isChosen={option.isChecked ?? option.id === value}
            isActive={option === active}
            onPoint={() => setActiveId(option.id)}
            onChoose={() => choose(option.id)}
          />
        ))}
      </ul>
      {shown.length === 0 && (
        <p className="tr-note" role="status">
          {typeof props.emptyText === 'string' ? props.emptyText : props.emptyText(text)}
        </p>
      )}
    </div>
  );
}

function Option(props: {
  readonly option: SearchOption;
  readonly id: string;
  readonly heading: string | undefined;
  readonly isChosen: boolean;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}) {
  const { option } = props;
  return (
    <>
      {props.heading !== undefined && (
        <li role="presentation" className="tr-search-heading">
          {props.heading}
        </li>
      )}
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the search field has the keys of the list */}
      <li
        id={props.id}
        role="option"
        aria-selected={props.isChosen}
        data-active={props.isActive}
        onPointerMove={props.onPoint}
        // The focus stays in the search field.
        onMouseDown={(event) => event.preventDefault()}
        onClick={props.onChoose}
      >
        {option.icon !== undefined && <Icon name={option.icon} />}
        {option.swatch !== undefined && (
          <i className="tr-swatch" style={{ background: option.swatch }} aria-hidden="true" />
        )}
        <span>
          <strong>{option.label}</strong>
          {option.detail !== undefined && <small>{option.detail}</small>}
        </span>
        {option.hint !== undefined && <kbd>{option.hint}</kbd>}
        {props.isChosen && <i className="pi pi-check" aria-hidden="true" />}
      </li>
    </>
  );
}

/** Labels that begin with the typed text come first, then those that contain it; groups stay as they are. */
function bestFirst(options: readonly SearchOption[], text: string): readonly SearchOption[] {
  if (text === '' || options.some(({ group }) => group !== undefined)) return options;
  const typed = text.toLowerCase();
  const rank = ({ label }: SearchOption): number => {
    const at = label.toLowerCase().indexOf(typed);
    return at === 0 ? 0 : at > 0 ? 1 : 2;
  };
  return options.toSorted((a, b) => rank(a) - rank(b));
}
