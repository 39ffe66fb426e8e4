import { type ReactNode, useMemo, useRef } from 'react';
import type { ColumnEntity, FilterNode, LogicalOp } from '../../shared/index.ts';
import { useRegistry, useSharedT } from '../host.tsx';
import { Select, useKeptFocus } from '../ui/index.ts';
import { FilterRow } from './FilterRow.tsx';
import { keyOf, newCondition, newId } from './filter-tree.ts';
import { isOffered, offeredFor, useOfferedOperators, type OffersComparison } from './offered.ts';
import { replaced } from './replaced.ts';

/** The props of the filter editor. @public */
export interface FilterEditorProps {
  /** The columns for filters, the display column first, in order. */
  readonly columns: readonly ColumnEntity[];
  readonly value: readonly FilterNode[];
  /** Shows the filters read-only. */
  readonly readOnly?: boolean;
  /** The text for an empty tree. */
  readonly emptyText: string;
  /**
   * The available comparisons, if the conditions' evaluation supports fewer than a view. One that was chosen before is still shown.
   * Default: all of the column's type.
   */
  readonly offers?: OffersComparison | undefined;
  onChange(this: void, value: readonly FilterNode[]): void;
}

/** The deepest nesting of groups that people can still read. */
const deepestGroup = 3;

/**
 * Edits the filters of a view, the conditions of a webhook, or any other conditions for rows. It has no state itself: the whole
 * tree is passed in, and passed out with each change. A value that the column cannot hold stays in its field until it is corrected.
 *
 * @public
 */
export function FilterEditor({
  columns,
  value,
  readOnly,
  emptyText,
  offers,
  onChange,
}: FilterEditorProps): ReactNode {
  return (
    <FilterLevel
      columns={columns}
      nodes={value}
      depth={0}
      readOnly={readOnly === true}
      emptyText={emptyText}
      offers={offers}
      onChange={onChange}
    />
  );
}

interface FilterLevelProps {
  readonly columns: readonly ColumnEntity[];
  readonly nodes: readonly FilterNode[];
  readonly depth: number;
  readonly readOnly: boolean;
  readonly emptyText: string;
  readonly offers: OffersComparison | undefined;
  readonly onChange: (nodes: readonly FilterNode[]) => void;
}

/** The filters of the root or of a group, and the buttons to add others. */
function FilterLevel({ columns, nodes, depth, readOnly, emptyText, offers, onChange }: FilterLevelProps) {
  const t = useSharedT();
  const types = useRegistry('columnTypes');
  const operators = useOfferedOperators();
  const first = useMemo(() => columns.find((of) => of.pv) ?? columns.find(isOffered), [columns]);
  const more = useRef<HTMLButtonElement>(null);
  const { list, pressed } = useKeptFocus(() => more.current);

  const condition = (): FilterNode => newCondition(first, types, offeredFor(first, operators, offers));

  return (
    <>
      {nodes.length === 0 && <p className="tr-note">{emptyText}</p>}
      <ul ref={list} className="tr-filters">
        {nodes.map((node, index) => {
          const change = (next: FilterNode | undefined) => {
            if (next === undefined) pressed(index);
            onChange(replaced<FilterNode>(nodes, index, next));
          };
          const join = (
            <FilterJoin
              value={node.logicalOp}
              isFirst={index === 0}
              readOnly={readOnly}
              onChange={(logicalOp) => change({ ...node, logicalOp })}
            />
          );
          return node.kind === 'condition' ? (
            <FilterRow
              key={keyOf(node)}
              join={join}
              node={node}
              columns={columns}
              readOnly={readOnly}
              offers={offers}
              onChange={change}
            />
          ) : (
            <li key={keyOf(node)} className="tr-filter-group">
              <fieldset aria-label={t('Group of filters')}>
                <div className="tr-filter-line">
                  {join}
                  <span className="tr-note">{t('a group of filters')}</span>
                  <RemoveButton
                    label={t('Remove this group')}
                    readOnly={readOnly}
                    onRemove={() => change(undefined)}
                  />
                </div>
                <FilterLevel
                  columns={columns}
                  nodes={node.children}
                  depth={depth + 1}
                  readOnly={readOnly}
                  emptyText={t('An empty group does not filter.')}
                  offers={offers}
                  onChange={(children) => change({ ...node, children })}
                />
              </fieldset>
            </li>
          );
        })}
      </ul>
      {!readOnly && first !== undefined && (
        <div className="tr-filter-actions">
          <button
            ref={more}
            type="button"
            className="tr-action"
            onClick={() => onChange([...nodes, condition()])}
          >
            <i className="pi pi-plus" aria-hidden="true" /> {t('Add filter')}
          </button>
          {depth < deepestGroup && (
            <button
              type="button"
              className="tr-action"
              onClick={() =>
                onChange([
                  ...nodes,
                  { kind: 'group', id: newId(), logicalOp: 'and', children: [condition()] },
                ])
              }
            >
              <i className="pi pi-sitemap" aria-hidden="true" /> {t('Add group')}
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** How a filter is joined to those before it; not for the first one. */
function FilterJoin(props: {
  readonly value: LogicalOp;
  readonly isFirst: boolean;
  readonly readOnly: boolean;
  readonly onChange: (value: LogicalOp) => void;
}) {
  const t = useSharedT();
  if (props.isFirst) return <span className="tr-filter-word">{t('where')}</span>;
  return (
    <Select<LogicalOp>
      className="tr-filter-join"
      label={t('Joined by')}
      disabled={props.readOnly}
      value={props.value}
      options={[
        { value: 'and', label: t('and') },
        { value: 'or', label: t('or') },
        // Only if the API set it: "and not" belongs to groups.
        ...(props.value === 'not' ? [{ value: 'not' as const, label: t('and not') }] : []),
      ]}
      onChange={props.onChange}
    />
  );
}

/** Removes a filter, a group or a sort from its list. */
export function RemoveButton(props: {
  readonly label: string;
  readonly readOnly: boolean;
  readonly onRemove: () => void;
}) {
  return (
    <button
      type="button"
      className="tr-icon-button tr-filter-remove"
      data-entry-action
      aria-label={props.label}
      disabled={props.readOnly}
      onClick={props.onRemove}
    >
      <i className="pi pi-trash" aria-hidden="true" />
    </button>
  );
}
