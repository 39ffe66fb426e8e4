import type { ColumnEntity, RowKey } from '@trellis/sdk/shared';
import {
  askBeforeLeaving,
  messageOfError,
  needsValue,
  shortcutKey,
  useHost,
  useRegistry,
  whyReadOnly,
  type RowContext,
  withinTable,
} from '@trellis/sdk/web';
import { Notice, Skeleton } from '@trellis/sdk/web/ui';
import { confirmDeletion, keepsRowOrder, rowRights, undoOffer, type EditStep } from '@trellis/sdk/web/rows';
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { FieldEditor } from './FieldEditor.tsx';
import { newRowFields } from './new-row-fields.ts';
import type { MayLeave, RowRequest } from './panel-requests.ts';
import { RowFields } from './RowFields.tsx';
import { PaneBodies, PaneButtons, usePaneDrafts, usePanes } from './RowPanes.tsx';
import { titled, titleOf } from './row-names.ts';
import { RowPanelFooter } from './RowPanelFooter.tsx';
import { RowPanelHeader } from './RowPanelHeader.tsx';
import { useRow } from './use-row.ts';
import { useRowPlace } from './use-row-place.ts';

interface RowPanelProps {
  readonly request: RowRequest;
  /** Hidden while another dialog is open. */
  readonly isHidden: boolean;
  /** Registers a check that runs before the row is left in any of the ways below; returns how to remove it. */
  readonly guard: (mayLeave: MayLeave) => () => void;
  readonly onMove: (rowKey: RowKey) => void;
  /** Shows another pane of the row, or its fields. */
  readonly onPane: (id: string | undefined) => void;
  /** Returns to the row from which this one was opened; undefined if there is none. */
  readonly onBack: (() => void) | undefined;
  readonly onClose: () => void;
}

/** A row with all its fields, at the side; on a phone it covers the page. */
export default function RowPanel(props: RowPanelProps) {
  const { request, isHidden, guard, onMove, onPane, onBack, onClose } = props;
  const host = useHost();
  const { t } = host;
  const { table, view, rowKey } = request;
  const project = withinTable(request.project, table);
  const isNew = rowKey === undefined;
  const types = useRegistry('columnTypes');
  const fresh = isNew
    ? newRowFields({ project, table }, (uidt) => types.find(({ id }) => id === uidt), request.values)
    : undefined;
  const columns =
    fresh?.columns ?? (table.columns ?? []).filter(({ virtual, system }) => virtual !== true || !system);
  const form = useRow(request, columns, fresh);
  const { row, rows, error, isLoading, edits, isDirty, isTouched, problems, problem, isSaving } = form;
  const box = useRef<HTMLElement>(null);
  const panes = usePanes(request);
  const pane = panes.find(({ id }) => id === request.pane);
  const drafts = usePaneDrafts(panes);
  const [held] = drafts.held;
  const isUnsaved = isDirty || held !== undefined;
  const isGone = error?.status === 404;
  const rights = rowRights(project, table);
  const readOnlyReason =
    table.readOnlyReason ??
    (rights[isNew ? 'add' : 'change'] ? undefined : t('You may read this table, not change it.'));
  const shown = { ...row, ...titled(edits, columns) };
  const title = isNew ? t('New row') : (titleOf(columns, shown, types) ?? t('Row {{key}}', { key: rowKey }));

  useEffect(() => {
    const first = isNew ? box.current?.querySelector<HTMLElement>('input, textarea') : undefined;
    (first ?? box.current)?.focus();
  }, [isNew]);
  const now = { isUnsaved, isTouched, edits, save, saveFirst, maySave, mayLeave, whatIsLost };
  const latest = useRef(now);
  useLayoutEffect(() => {
    latest.current = now;
  });
  useEffect(
    // On another page of the project, the panel is kept hidden.
    () => askBeforeLeaving(() => latest.current.isUnsaved || latest.current.isTouched, 'page'),
    [],
  );
  const hasEdits = isDirty || isTouched || isNew;
  useEffect(() => {
    // The buttons disappear with the edits, and with them the focus.
    if (!hasEdits && document.activeElement === document.body) box.current?.focus();
  }, [hasEdits]);
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    const unguard = guard(() => latest.current.mayLeave());
    return () => {
      isOpen.current = false;
      unguard();
    };
  }, [guard]);

  /** Leaves the field, so that its text becomes an edit. The focus stays in the field, or moves to the panel. */
  function leaveField() {
    const field = document.activeElement;
    if (!(field instanceof HTMLElement) || box.current?.contains(field) !== true) return;
    flushSync(() => field.blur());
    // Focusing a list or calendar would open it again.
    if (!opensByArrow(field)) field.focus();
    if (document.activeElement !== field) box.current.focus();
  }

  function whatIsLost(): string {
    if (isDirty || held === undefined) return t('This row has changes that are not saved.');
    return t('What you wrote under “{{pane}}” is not sent.', { pane: t(held.label) });
  }

  /** Whether the row can be saved before leaving. Drafts in a pane are sent there, and a new row is added and shown instead. */
  function maySave(): boolean {
    return isDirty && !isNew && !isGone && held === undefined && readOnlyReason === undefined;
  }

  /** Saves before the row is left. Resolves to false if not everything was saved: the panel shows why. */
  async function saveFirst(): Promise<boolean> {
    const saved = await form.saved();
    const { isTouched: isTyping, edits: left } = latest.current;
    const isSaved = Object.entries(left).every(([columnId, value]) => Object.is(value, saved?.[columnId]));
    return saved !== undefined && isSaved && !isTyping;
  }

  /**
   * Asks what to do with unsaved edits and with drafts in a pane.
   *
   * @param isKept false if the row is about to be deleted, so that saving makes no sense
   */
  async function mayLeave(isKept = true): Promise<boolean> {
    // The caller may be rendering: the field must be left after that.
    await Promise.resolve();
    leaveField();
    if (!latest.current.isUnsaved) return true;
    return host.confirm({
      title: t('Throw the changes away?'),
      message: latest.current.whatIsLost(),
      confirmLabel: t('Throw away'),
      danger: true,
      ...(isKept &&
        latest.current.maySave() && {
          instead: { label: t('Save and go on'), run: () => latest.current.saveFirst() },
        }),
    });
  }

  /** Does something with the stored row, after asking what to do with edits. A second press meanwhile is ignored. */
  const isActing = useRef(false);
  async function afterLeaving(work: () => Promise<void>, isKept = true) {
    if (isActing.current) return;
    isActing.current = true;
    try {
      if (!(await mayLeave(isKept))) return;
      flushSync(() => {
        form.discard();
        drafts.discard();
      });
      await work();
    } finally {
      isActing.current = false;
    }
  }

  /** Whether the panel may navigate after a wait: it still shows this row, and nothing was typed since. */
  function isIdle(): boolean {
    return isOpen.current && !latest.current.isUnsaved && !latest.current.isTouched;
  }

  const place = useRowPlace(request.rows?.source, rowKey, {
    onMove: (key) => {
      if (isOpen.current) onMove(key);
    },
    onFailure: tell,
  });

  async function save() {
    const saved = await form.save();
    if (saved === undefined || saved === 'saved' || !isOpen.current) return;
    flushSync(form.discard);
    onClose();
    request.onAdded?.(saved.index);
  }

  /** The pressed button disappears, so the focus moves to the panel. */
  function discard() {
    form.discard();
    box.current?.focus();
  }

  /** Opens the new row, so that its values can be changed at once. */
  async function duplicate(key: RowKey) {
    try {
      const copied = columns.filter((column) => {
        const type = host.registry('columnTypes').get(column.uidt);
        return whyReadOnly(column, type, t) === undefined;
      });
      const [made] = await rows.duplicate(
        [key],
        copied.map(({ id }) => id),
        undefined,
        keepsRowOrder(project, table) ? { side: 'after', row: key } : undefined,
      );
      await rows.source.settled();
      host.toast({ severity: 'success', summary: t('Row duplicated.') });
      if (made === undefined || !isIdle()) return;
      onPane(undefined);
      onMove(made);
    } catch (failure) {
      tell(failure);
    }
  }

  async function remove(key: RowKey) {
    try {
      if (!(await confirmDeletion({ project, table }, [key], host))) return;
      const step: EditStep = { kind: 'delete', count: 1 };
      await rows.delete([key], step);
      if (isIdle()) onClose();
      const action = undoOffer(rows, step, host);
      host.toast({ severity: 'success', summary: t('Row deleted.'), life: 8000, action });
    } catch (failure) {
      tell(failure);
    }
  }

  function tell(failure: unknown) {
    host.toast({
      severity: 'error',
      summary: t('The row could not be changed'),
      detail: messageOfError(failure, t),
    });
  }

  const draw = (column: ColumnEntity): ReactNode => (
    <FieldEditor
      key={`${column.id} ${form.round}`}
      project={project}
      table={table}
      column={column}
      row={shown}
      rowKey={rowKey}
      isNeeded={fresh === undefined ? needsValue(column) : fresh.needs(column)}
      value={shown[column.title] ?? null}
      problem={problems[column.id]}
      readOnlyReason={readOnlyReason}
      onChange={(value) => form.edit(column.id, value)}
      replaces={form.replaces(column)}
      onProblem={(found) => form.mark(column.id, found)}
      onTouch={(isHeld) => form.touch(column.id, isHeld)}
      onLost={(text) => form.lose(column.id, text)}
    />
  );

  const context: RowContext | undefined =
    row === undefined || rowKey === undefined ? undefined : { project, table, view, rowKey, row };
  return (
    <aside
      ref={box}
      className="rows-panel"
      hidden={isHidden}
      role="dialog"
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => {
        // Popups above the panel close themselves; React also bubbles their key events to here.
        if (event.target instanceof Node && box.current?.contains(event.target) !== true) return;
        const isTaken = event.defaultPrevented || event.nativeEvent.isComposing;
        if (event.key === 'Escape' && !isTaken) onClose();
        const by = event.altKey ? ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key] : undefined;
        // The same keys open a list.
        if (by !== undefined && !opensByArrow(event.target)) {
          event.preventDefault();
          void place?.onStep(by);
        }
        const isPlain = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
        if (isPlain && shortcutKey(event).toLowerCase() === 's') {
          event.preventDefault();
          // A pane's draft is not part of the form.
          if (pane !== undefined || event.repeat) return;
          leaveField();
          void latest.current.save();
        }
      }}
    >
      <RowPanelHeader
        title={title}
        of={onBack && table.title}
        place={place}
        panes={
          rowKey !== undefined && (
            <PaneButtons panes={panes} row={{ project, table, rowKey }} chosen={pane} onChoose={onPane} />
          )
        }
        onBack={onBack}
        onClose={onClose}
      />
      {rowKey !== undefined && <PaneBodies row={{ project, table, rowKey }} chosen={pane} drafts={drafts} />}
      {/* A row that is being added accepts no more input: the panel closes afterwards. */}
      <div className="rows-fields" inert={isNew && isSaving} hidden={pane !== undefined}>
        {isLoading && <Skeleton height={34} count={5} />}
        {error && <Notice severity="error">{isGone ? t('This row is gone.') : error.message}</Notice>}
        {form.isLeftOut && (
          <Notice severity="info">
            {t('The filters of the view “{{view}}” leave this row out at the moment.', {
              view: view?.title ?? '',
            })}
          </Notice>
        )}
        {row && (
          <RowFields request={request} columns={columns} fresh={fresh} holds={form.holds} draw={draw} />
        )}
      </div>
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
      <RowPanelFooter
        row={
          isGone || row === undefined || rowKey === undefined
            ? undefined
            : {
                onDelete: rights.delete ? () => void afterLeaving(() => remove(rowKey), false) : undefined,
                onDuplicate: rights.addMany ? () => void afterLeaving(() => duplicate(rowKey)) : undefined,
              }
        }
        context={context}
        edits={
          hasEdits
            ? {
                isNew,
                isSaving,
                canSave: !isGone,
                onDiscard: isNew ? onClose : discard,
                onSave: () => void save(),
              }
            : undefined
        }
      />
    </aside>
  );
}

function opensByArrow(target: EventTarget): boolean {
  return target instanceof Element && target.closest('select, [aria-haspopup], [role=combobox]') !== null;
}
