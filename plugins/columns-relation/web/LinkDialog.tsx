import type { Row, TableEntity } from '@trellis/sdk/shared';
import {
  showInHeading,
  RowPanelToken,
  useHost,
  useRegistry,
  useT,
  type OpenedCell,
  hasPermission,
  keyOfRow,
  nameOfRow,
  tellingFields,
} from '@trellis/sdk/web';
import { Dialog, ErrorNotice, Skeleton, useKeptFocus, WorkButton } from '@trellis/sdk/web/ui';
import { RowFinder, useFoundRows } from '@trellis/sdk/web/views';
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { linkOf, mostAtOnce, pageRequest, useLinkedTableData } from './link-calls.ts';
import type { TypedAhead } from './typed-ahead.ts';
import { isNamed, useIsLinked, useLinkedPart, useLinks, type ListPart } from './use-links.ts';

interface LinkDialogProps {
  readonly cell: OpenedCell;
  /** What was typed before the search field was mounted. */
  readonly typed?: TypedAhead | undefined;
  readonly onClose: () => void;
}

/** Number of candidates per request. */
const step = 20;

/** A row's links: shows the linked rows and the candidates, with ways to remove, search, add and create. */
export default function LinkDialog({ cell, typed, onClose }: LinkDialogProps) {
  const t = useT();
  const { data: other, error, refetch } = useLinkedTableData(linkOf(cell.column)?.tableId);
  const isFailed = other === undefined && error !== undefined;
  useEffect(() => {
    // After a failure, keys go to the buttons. Otherwise the typed text is kept until the table is loaded.
    if (isFailed) typed?.end();
  }, [isFailed, typed]);
  const title = t('{{column}} of {{row}}', {
    column: cell.column.title,
    row: nameOfRow(cell.table, cell.row) || t('row {{key}}', { key: cell.rowKey }),
  });
  return (
    <Dialog title={title} width={560} className="cr-dialog" dismissable onClose={onClose}>
      {other !== undefined ? (
        <Links {...{ cell, other, typed, onClose }} />
      ) : error !== undefined ? (
        <ErrorNotice message={error.message} onRetry={refetch} />
      ) : (
        <Skeleton height={38} count={4} />
      )}
    </Dialog>
  );
}

/** The titles of a pasted text, separated by commas and line breaks; a title that contains a comma is searched in parts. */
function titlesIn(text: string): readonly string[] {
  return text
    .split(/[,\r\n]/)
    .map((title) => title.trim())
    .filter((title) => title !== '');
}

function Links({ cell, other, typed, onClose }: LinkDialogProps & { readonly other: TableEntity }) {
  const host = useHost();
  const { t } = host;
  const links = useLinks(cell, other);
  // A refused text stays with its cell until each of its titles was handled; they are searched one after another.
  const [titles, setTitles] = useState(() => titlesIn(cell.refusedText ?? ''));
  const [search, setSearch] = useState(titles[0] ?? '');
  const section = useRef<HTMLElement>(null);
  const searchField = () => section.current?.querySelector('input');
  const { list, pressed } = useKeptFocus(searchField);
  useLayoutEffect(() => {
    const field = section.current?.querySelector('input');
    if (typed === undefined || !field) return;
    field.focus();
    typed.handOver(setSearch);
  }, [typed]);
  const isReadOnly =
    cell.table.readOnlyReason !== undefined || !hasPermission('relationDataAdd', cell.project);

  function goOn() {
    const rest = titles.slice(1);
    setTitles(rest);
    setSearch(rest[0] ?? '');
    if (rest.length === 0 || links.isOne) cell.onRefusedDone?.();
  }

  function open(row: Row) {
    const rowKey = keyOfRow(other, row);
    if (rowKey === undefined) return;
    onClose();
    host.find(RowPanelToken)?.open({
      project: cell.project,
      table: other,
      rowKey,
      isDeeper: true,
      openedFrom: cell.table.id,
    });
  }

  const item = (row: Row, index: number): ReactNode => (
    <li key={keyOfRow(other, row) ?? JSON.stringify(row)}>
      <LinkedRow
        other={other}
        row={row}
        press={{ label: t('Open {{row}}', { row: nameOfRow(other, row) }), run: () => open(row) }}
        action={
          isReadOnly
            ? undefined
            : {
                icon: 'times',
                label: t('Take the link to {{row}} away', { row: nameOfRow(other, row) }),
                run: () => {
                  pressed(index);
                  void links.remove(keyOfRow(other, row) ?? '');
                },
                changesList: true,
              }
        }
      />
    </li>
  );

  return (
    <div className="cr-links">
      <section aria-label={t('Linked rows')}>
        <h3>
          {t('Linked')} <span className="cr-count">{links.total}</span>
        </h3>
        {links.error && (
          <ErrorNotice
            message={links.error.message}
            onRetry={() => {
              links.retry();
              // The button disappears with the error, and the focus would be lost.
              searchField()?.focus();
            }}
          />
        )}
        {links.linked.length === 0 && !links.isLoading && links.error === undefined && (
          <p className="tr-note">{t('Nothing is linked yet.')}</p>
        )}
        <ul className="tr-rows" ref={list}>
          {links.linked.map(item)}
          {links.further.map((part) => (
            <FurtherLinked key={part.offset} {...{ cell, other, part, item }} tag={links.tag} />
          ))}
        </ul>
        {links.areMore && (
          <button type="button" className="tr-link" onClick={links.showMore}>
            {t('Show more')}
          </button>
        )}
      </section>
      {!isReadOnly && (
        <section aria-label={t('Rows to link')} ref={section}>
          <Candidates
            {...{ cell, other, search, links, searchField, onClose }}
            onSearch={setSearch}
            onOpen={open}
            onLinked={() => {
              if (titles.length > 0) goOn();
            }}
            onAdded={() => {
              goOn();
              searchField()?.focus();
            }}
            onSkip={
              titles.length === 0
                ? undefined
                : () => {
                    goOn();
                    searchField()?.focus();
                  }
            }
          />
        </section>
      )}
    </div>
  );
}

/** Linked rows beyond the first answer. */
function FurtherLinked(props: {
  readonly cell: OpenedCell;
  readonly other: TableEntity;
  readonly tag: string;
  readonly part: ListPart;
  readonly item: (row: Row, index: number) => ReactNode;
}) {
  const { cell, other, tag, part, item } = props;
  const { data, error, refetch } = useLinkedPart(cell, other, tag, part);
  if (error !== undefined)
    return (
      <li>
        <ErrorNotice message={error.message} onRetry={refetch} />
      </li>
    );
  return data?.list.map((row, index) => item(row, part.offset + index));
}

function Candidates(props: {
  readonly cell: OpenedCell;
  readonly other: TableEntity;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly links: ReturnType<typeof useLinks>;
  readonly searchField: () => HTMLElement | null | undefined;
  readonly onOpen: (row: Row) => void;
  /** Called when a row of the list has been linked. */
  readonly onLinked: () => void;
  /** Called when a new row has been created and linked. */
  readonly onAdded: () => void;
  /** Skips the searched title, which cannot be linked; undefined if there is no other title to search. */
  readonly onSkip: (() => void) | undefined;
  /** Called when the only allowed row has been linked. */
  readonly onClose: () => void;
}) {
  const { cell, other, links, onSearch, onOpen, onLinked, onAdded, onSkip, onClose } = props;
  const t = useT();
  const [limit, setLimit] = useState(step);
  const { list, pressed } = useKeptFocus(props.searchField);
  const { search } = props;
  const { version } = links;
  const rows = useFoundRows((asked) => pageRequest(cell, other, { excluded: true, ...asked }), {
    search,
    limit,
    version,
  });
  const { found, isAnswered } = rows;
  const typed = search.trim();
  // Before the answer it is unknown whether such a row exists.
  const same = found.find((row) => isNamed(other, row, typed));
  const isUnfound = typed !== '' && isAnswered && same === undefined;
  // The search results exclude linked rows.
  const isLinked = useIsLinked(cell, other, links, isUnfound ? typed : undefined);
  const isNew = isLinked === false && links.addNew !== undefined;
  /** The name can be neither found nor created, so the only action is to skip it. */
  const isInVain = isLinked === false && links.addNew === undefined && onSkip !== undefined;
  /** The row that Enter links: the row with that name, or else the first result. */
  const first = typed === '' ? undefined : (same ?? (isLinked === false ? found[0] : undefined));

  async function add(row: Row): Promise<boolean> {
    const isAdded = await links.add(keyOfRow(other, row) ?? '');
    if (isAdded) onLinked();
    if (isAdded && links.isOne) onClose();
    return isAdded;
  }

  async function addNew(): Promise<void> {
    const isAdded = (await links.addNew?.(typed)) === true;
    if (isAdded) onAdded();
    if (isAdded && links.isOne) onClose();
  }

  /** The search text when Enter was pressed: people do not wait for the results. */
  const wished = useRef<string>(undefined);
  const fulfil = () => {
    const isKnown = isAnswered && (!isUnfound || isLinked !== undefined);
    if (wished.current === undefined || !isKnown || links.isBusy) return;
    const isStillMeant = wished.current === typed;
    wished.current = undefined;
    if (!isStillMeant) return;
    if (isLinked === true || (first === undefined && isInVain)) onSkip?.();
    else if (first === undefined) void addNew();
    // For pasted titles, `onLinked` continues with the next one.
    else void add(first).then((isAdded) => isAdded && cell.refusedText === undefined && onSearch(''));
  };
  useEffect(fulfil);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.repeat || event.nativeEvent.isComposing || typed === '') return;
    event.preventDefault();
    wished.current = typed;
    fulfil();
  };
  return (
    <>
      <RowFinder
        table={other}
        {...{ rows, search, onSearch, onKeyDown, list }}
        isBusy={links.isBusy}
        isNext={(row) => isAnswered && row === first}
        onMore={limit < mostAtOnce ? () => setLimit((now) => now + step) : undefined}
      >
        {(row, index) => (
          <LinkedRow
            other={other}
            row={row}
            press={{
              icon: 'plus',
              label: t('Link {{row}}', { row: nameOfRow(other, row) }),
              run: () => {
                pressed(index);
                void add(row);
              },
              changesList: true,
            }}
            action={{
              icon: 'window-maximize',
              label: t('Open {{row}}', { row: nameOfRow(other, row) }),
              run: () => onOpen(row),
            }}
          />
        )}
      </RowFinder>
      {(isLinked === true || isInVain) && (
        <p className="tr-note" role="status">
          {isInVain
            ? t('“{{title}}” is the name of no row.', { title: typed })
            : t('“{{title}}” is linked already.', { title: typed })}{' '}
          {onSkip && (
            <button type="button" className="tr-link" onClick={onSkip}>
              {t('Go on')}
            </button>
          )}
        </p>
      )}
      {isNew && (
        <WorkButton isBusy={links.isBusy} onClick={() => void addNew()}>
          <i className="pi pi-plus" aria-hidden="true" />{' '}
          {t('Add “{{title}}” to {{table}} and link it', { title: typed, table: other.title })}
        </WorkButton>
      )}
    </>
  );
}

/** An action for a row of the linked table. */
interface RowAct {
  readonly icon?: string;
  readonly label: string;
  readonly run: () => void;
  /** Whether the action removes the row from the list: then the focus moves to the next row. */
  readonly changesList?: boolean;
}

/** A row of the linked table in one or two lines, with the action for a press and a further action. */
function LinkedRow(props: {
  readonly other: TableEntity;
  readonly row: Row;
  readonly press: RowAct;
  readonly action: RowAct | undefined;
}) {
  const { other, row, press, action } = props;
  const t = useT();
  const types = useRegistry('columnTypes');
  const detailsId = useId();
  const name = nameOfRow(other, row);
  const runOf =
    ({ run, changesList }: RowAct) =>
    ({ detail: clicks }: MouseEvent): void => {
      // The second click of a double click may hit the row that moved up.
      if (changesList !== true || clicks < 2) run();
    };
  const details = (other.columns ?? [])
    .filter(({ pv, pk, title }) => !pv && !pk && tellingFields(other).includes(title))
    .map((column) => {
      const type = types.find(({ id }) => id === column.uidt);
      return showInHeading(row[column.title], column, type);
    })
    .filter((text) => text !== '');
  return (
    <>
      <button
        type="button"
        className="tr-row"
        data-entry-action={press.changesList === true ? '' : undefined}
        aria-label={press.label}
        aria-describedby={details.length > 0 ? detailsId : undefined}
        title={press.label}
        onClick={runOf(press)}
      >
        {press.icon !== undefined && <i className={`pi pi-${press.icon}`} aria-hidden="true" />}
        <strong>{name || t('Row {{key}}', { key: keyOfRow(other, row) ?? '' })}</strong>
        {details.length > 0 && <small id={detailsId}>{details.join(' · ')}</small>}
      </button>
      {action && (
        <button
          type="button"
          className="tr-icon-button"
          data-entry-action={action.changesList === true ? '' : undefined}
          aria-label={action.label}
          title={action.label}
          onClick={runOf(action)}
        >
          <i className={`pi pi-${action.icon}`} aria-hidden="true" />
        </button>
      )}
    </>
  );
}
