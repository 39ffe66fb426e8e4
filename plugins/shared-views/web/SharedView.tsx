import type { SortKey } from '@trellis/sdk/shared';
import {
  Contribution,
  sendAsVisitor,
  useHost,
  useRegistry,
  useRegistryItem,
  usualParts,
  visitedCall,
  VisitedViewContext,
} from '@trellis/sdk/web';
import { Empty, PageSkeleton, PopoverButton, ScrollStrip, SearchField } from '@trellis/sdk/web/ui';
import {
  columnsAsked,
  effectiveRules,
  ExportButton,
  FieldEditor,
  FilterEditor,
  GroupEditor,
  isSortable,
  OwnLookContext,
  SortEditor,
  useNewOwnLook,
  useViewOptions,
} from '@trellis/sdk/web/views';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ClipboardEvent } from 'react';
import { useLook } from './use-look.ts';
import { useOwnFields } from './use-own-fields.ts';
import { useReadRow } from './use-read-row.tsx';
import type { OpenVisit } from './use-visit.ts';
import { visitorQuery } from './visitor-query.ts';

/** Milliseconds after the last key before rows are searched. */
const typingPause = 300;

/** A shared view for visitors: its title, their actions, and the view drawn by its own type. */
export function SharedView({ visit }: { readonly visit: OpenVisit }) {
  const { t, toast } = useHost();
  const { project, table, view, allows } = visit;
  const look = useLook(allows.look);
  const title = look.title ?? view.title;
  const type = useRegistryItem('viewTypes', view.view_type);
  const [words, setWords] = useState('');
  const chosen = useNewOwnLook();
  const { filters, sorts, change } = chosen;
  const searched = useLate(words.trim());
  const types = useRegistry('columnTypes');
  const operators = useRegistry('filterOperators');
  const groupsOfView = useViewOptions(view).groups as readonly SortKey[] | undefined;
  const groups = chosen.groups ?? groupsOfView ?? [];
  const columns = useMemo(() => {
    const shown = new Set(visit.visited.columns.filter(({ show }) => show).map((each) => each.fk_column_id));
    return (table.columns ?? []).filter(({ id }) => shown.has(id));
  }, [table.columns, visit.visited.columns]);
  const query = useMemo(() => {
    const rules = effectiveRules(filters, { columns, types, operators });
    return visitorQuery({ words: searched, rules, sorts }, columns, types);
  }, [searched, filters, sorts, columns, types, operators]);
  // The filters are in the query instead, which downloads use too.
  const ownLook = useMemo(() => ({ ...chosen, filters: [] }), [chosen]);
  const reading = useReadRow();
  const { openRow } = reading;
  const own = useOwnFields(visit.visited.columns);
  const visited = useMemo(
    () => ({ ...visit.visited, columns: own.columns, query, openRow }),
    [visit.visited, own.columns, query, openRow],
  );
  useEffect(() => {
    document.title = title;
  }, [title]);
  const uses = type?.uses ?? usualParts;

  const refuseCopy = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
    toast({ severity: 'info', summary: t('The link of this view does not allow copying.') });
  };

  return (
    <VisitedViewContext.Provider value={visited}>
      <div className="shared-views-page">
        <header
          className="shared-views-head"
          style={look.accent === undefined ? undefined : { borderTop: `4px solid ${look.accent}` }}
        >
          <h1>{title}</h1>
          {allows.allowSearch !== false && uses.includes('filters') && (
            <SearchField label={t('Search')} value={words} onChange={setWords} />
          )}
          <ScrollStrip className="shared-views-tools" role="toolbar" aria-label={t('View')}>
            {allows.allowSearch !== false && uses.includes('filters') && (
              <PopoverButton icon="filter" label={t('Filter')} count={filters.length}>
                {() => (
                  <FilterEditor
                    columns={columns}
                    value={filters}
                    emptyText={t('Every row of the view is shown.')}
                    onChange={(next) => change({ filters: next })}
                  />
                )}
              </PopoverButton>
            )}
            {uses.includes('sorts') && (
              <PopoverButton icon="sort-alt" label={t('Sort')} count={sorts.length}>
                {() => (
                  <SortEditor
                    columns={columns.filter((column) => isSortable(column, table, types))}
                    value={sorts}
                    emptyText={t('The rows are in the order of the view.')}
                    onChange={(next) => change({ sorts: next })}
                  />
                )}
              </PopoverButton>
            )}
            {uses.includes('groups') && (
              <PopoverButton icon="list" label={t('Group')} count={groups.length}>
                {() => (
                  <GroupEditor
                    columns={columnsAsked(columns, types)}
                    value={groups}
                    emptyText={t('Rows with the same value in a column stand together under a heading.')}
                    onChange={(next) => change({ groups: next })}
                  />
                )}
              </PopoverButton>
            )}
            {uses.includes('fields') && (
              <PopoverButton icon="eye-slash" label={t('Fields')} count={own.hidden}>
                {() => <FieldEditor columns={columns} value={own.fields} onChange={own.change} />}
              </PopoverButton>
            )}
            {allows.allowCSVDownload !== false && type?.sharing?.visitors === 'read' && (
              <DownloadButton {...{ visit, query }} />
            )}
          </ScrollStrip>
        </header>
        <div
          className="shared-views-body"
          data-copied={allows.allowCopy !== false}
          onCopyCapture={allows.allowCopy === false ? refuseCopy : undefined}
          onCutCapture={allows.allowCopy === false ? refuseCopy : undefined}
        >
          {type === undefined ? (
            <Empty
              icon="box"
              title={t('This view cannot be shown')}
              text={t("No enabled plugin draws views of type '{{type}}'.", { type: view.view_type })}
            />
          ) : (
            <OwnLookContext.Provider value={ownLook}>
              <Contribution
                registry="viewTypes"
                id={type.id}
                what={t(type.label)}
                fallback={<PageSkeleton />}
              >
                <type.View readOnly {...{ project, table, view }} />
              </Contribution>
              {reading.row}
            </OwnLookContext.Provider>
          )}
        </div>
      </div>
    </VisitedViewContext.Provider>
  );
}

interface DownloadButtonProps {
  readonly visit: OpenVisit;
  readonly query: Readonly<Record<string, string>>;
}

/** Downloads the rows as a file, searched and sorted as shown. */
function DownloadButton({ visit, query }: DownloadButtonProps) {
  const { api } = useHost();
  const { view, visited } = visit;
  const latest = useRef(visited);
  useLayoutEffect(() => {
    latest.current = visited;
  });
  const { path } = visitedCall(visited, 'rows/export');
  return (
    <ExportButton
      download={({ id, extension }) =>
        sendAsVisitor(
          () => latest.current,
          (headers) => api.download({ path: `${path}/${id}`, query, headers }, `${view.title}.${extension}`),
        )
      }
    />
  );
}

/** The text when it has not changed for a moment. */
function useLate(text: string): string {
  const [late, setLate] = useState(text);
  useEffect(() => {
    const waiting = setTimeout(() => setLate(text), typingPause);
    return () => clearTimeout(waiting);
  }, [text]);
  return late;
}
