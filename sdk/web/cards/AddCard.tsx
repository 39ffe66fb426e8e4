import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { askBeforeLeaving } from '../ask-before-leaving.ts';
import { useSharedT } from '../host.tsx';
import './cards.css';

interface NewCardProps {
  /** Its purpose: `New row in Done`. */
  readonly label: string;
  /** Adds the row; resolves with whether it was accepted. */
  onAdd(this: void, name: string): Promise<boolean>;
  /** `byKey`: by Escape, and not because the focus moved elsewhere. */
  onClose(this: void, byKey: boolean): void;
  readonly onHolding: ((isHolding: boolean) => void) | undefined;
}

interface Names {
  readonly typed: string;
  /** Names that were refused while the next one was typed. */
  readonly refused: readonly string[];
}

/** Adds rows by their names, one after the other, and keeps each name until its row exists. */
function useNames(onAdd: NewCardProps['onAdd']) {
  const [names, setNames] = useState<Names>({ typed: '', refused: [] });
  const [waiting, setWaiting] = useState(0);
  const queue = useRef<string[]>([]);
  const latest = useRef(onAdd);
  useLayoutEffect(() => {
    latest.current = onAdd;
  });

  /** Puts a name back into the field, unless the next one has been typed already. */
  const putBack = (name: string): void =>
    setNames(({ typed, refused }) =>
      typed === '' ? { typed: name, refused } : { typed, refused: [...refused, name] },
    );

  async function work(): Promise<void> {
    for (let name = queue.current[0]; name !== undefined; name = queue.current[0]) {
      const isTaken = await latest.current(name);
      queue.current.shift();
      setWaiting(queue.current.length);
      if (!isTaken) putBack(name);
    }
  }

  function add(name: string): void {
    queue.current.push(name);
    setWaiting(queue.current.length);
    if (queue.current.length === 1) void work();
  }

  return {
    ...names,
    isBusy: waiting > 0,
    type: (typed: string) => setNames(({ refused }) => ({ typed, refused })),
    add,
    again(place: number): void {
      const name = names.refused[place];
      if (name === undefined) return;
      setNames(({ typed, refused }) => ({ typed, refused: refused.filter((_, at) => at !== place) }));
      add(name);
    },
  };
}

/**
 * A field that adds one row after the other: Enter adds, Escape and leaving the empty field close it. The next name can be typed
 * while a row is being added. Before a name without a row is lost, the person is asked.
 */
function NewCard({ label, onAdd, onClose, onHolding }: NewCardProps): ReactNode {
  const t = useSharedT();
  const { typed, refused, isBusy, ...names } = useNames(onAdd);
  const field = useRef<HTMLInputElement>(null);
  const isHolding = typed.trim() !== '' || refused.length > 0 || isBusy;
  useEffect(() => (isHolding ? askBeforeLeaving() : undefined), [isHolding]);
  const tell = useEffectEvent((isNow: boolean) => onHolding?.(isNow));
  useEffect(() => {
    if (!isHolding) return;
    tell(true);
    return () => tell(false);
  }, [isHolding]);

  const add = (): void => {
    const name = typed.trim();
    field.current?.focus();
    // A second press for the same row must not add an unnamed one.
    if (name === '' && isBusy) return;
    names.type('');
    names.add(name);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    // During composition, both keys belong to the input method.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onClose(true);
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  return (
    <>
      <div className="tr-card-new">
        <input
          ref={field}
          className="p-inputtext p-component"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked for it
          autoFocus
          aria-label={label}
          aria-busy={isBusy}
          placeholder={t('Name, then Enter')}
          value={typed}
          maxLength={1000}
          onChange={(event) => names.type(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={() => {
            if (typed === '' && refused.length === 0 && !isBusy) onClose(false);
          }}
        />
        <button type="button" className="tr-icon-button" aria-label={t('Add row')} onClick={add}>
          <i className="pi pi-check" aria-hidden="true" />
        </button>
      </div>
      {refused.length > 0 && (
        <ul className="tr-card-refused" aria-label={t('Not added')}>
          {refused.map((name, place) => (
            <li key={place}>
              <span dir="auto">{name}</span>{' '}
              <button type="button" className="tr-link" onClick={() => names.again(place)}>
                {t('Try again')}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The props of a button and field that add rows by their names. @public */
export interface AddCardProps {
  /** Its purpose, as the name of the field and the button: `New row in Done`. */
  readonly label: string;
  /** The visible text of the button. */
  readonly text: string;
  readonly buttonClass?: string;
  /** Whether the field is shown in place of the button. */
  readonly isOpen: boolean;
  onOpen(this: void, isOpen: boolean): void;
  /** Adds the row; resolves with whether it was accepted. */
  onAdd(this: void, name: string): Promise<boolean>;
  /** Called when the field starts or stops having a name without a row: typed, being added, or refused. */
  readonly onHolding?: ((isHolding: boolean) => void) | undefined;
}

/**
 * A button that opens a field for adding one row after the other: Enter adds, Escape and leaving the empty field close it. The next
 * name can be typed while a row is being added. Before a name without a row is lost, the person is asked.
 *
 * @public
 */
export function AddCard(props: AddCardProps): ReactNode {
  const { label, text, buttonClass = 'tr-button', isOpen, onOpen, onAdd, onHolding } = props;
  const button = useRef<HTMLButtonElement>(null);
  const isLeftByKey = useRef(false);
  useLayoutEffect(() => {
    // The removed field had the focus.
    if (!isOpen && isLeftByKey.current) button.current?.focus();
    isLeftByKey.current = false;
  }, [isOpen]);
  if (isOpen)
    return (
      <NewCard
        label={label}
        onAdd={onAdd}
        onHolding={onHolding}
        onClose={(byKey) => {
          isLeftByKey.current = byKey;
          onOpen(false);
        }}
      />
    );
  return (
    <button
      ref={button}
      type="button"
      className={buttonClass}
      aria-label={label}
      onClick={() => onOpen(true)}
    >
      <i className="pi pi-plus" aria-hidden="true" />
      {text}
    </button>
  );
}
