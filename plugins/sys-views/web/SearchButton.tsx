import { useT, type ViewProps } from '@trellis/sdk/web';
import { SearchField } from '@trellis/sdk/web/ui';
import { useRowSearch } from '@trellis/sdk/web/views';
import { useEffect, useRef, useState, type ComponentType, type KeyboardEvent } from 'react';
import type { SearchRequests } from './search-requests.ts';

/** Milliseconds after the last key before rows are searched. */
const pause = 250;

/** A button that becomes a field: the view then shows only the rows that contain the typed text. Escape ends the search. */
export function createSearchButton(requests: SearchRequests): ComponentType<ViewProps> {
  return function SearchButton({ view }) {
    const t = useT();
    const ofView = useRowSearch();
    // A view that reads its rows in another way would ignore the text.
    const search = ofView?.isHeard === true ? ofView : undefined;
    const isOffered = search !== undefined;
    const box = useRef<HTMLDivElement>(null);
    const [opened, setOpened] = useState<{ readonly viewId: string; readonly text: string }>();
    const field = opened?.viewId === view.id ? opened : undefined;
    const isOpen = field !== undefined;
    const typed = field?.text.trim() ?? '';
    const find = search?.search;
    const isFound = typed === search?.text;
    useEffect(() => {
      if (find === undefined || isFound) return;
      const timer = setTimeout(() => find(typed), typed === '' ? 0 : pause);
      return () => clearTimeout(timer);
    }, [find, isFound, typed]);
    const returnsFocus = useRef(false);
    useEffect(() => {
      if (isOpen) box.current?.querySelector('input')?.focus();
      else if (returnsFocus.current) box.current?.querySelector('button')?.focus();
      returnsFocus.current = false;
    }, [isOpen]);
    useEffect(() => {
      if (!isOffered) return undefined;
      const open = () => {
        setOpened((before) => (before?.viewId === view.id ? before : { viewId: view.id, text: '' }));
        const input = box.current?.querySelector('input');
        input?.focus();
        input?.select();
      };
      return requests.take(open);
    }, [isOffered, view.id]);

    if (search === undefined) return null;
    const close = () => {
      setOpened(undefined);
      search.search('');
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.nativeEvent.isComposing) return;
      if (event.key === 'Enter') search.search(typed);
      // The first Escape only empties the field.
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      returnsFocus.current = true;
      close();
    };
    return (
      <div
        ref={box}
        className="views-search"
        role="search"
        aria-label={t('Search rows')}
        onKeyDown={onKeyDown}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (typed === '' && isOpen && !currentTarget.contains(relatedTarget)) close();
        }}
      >
        <button
          type="button"
          className="tr-icon-button"
          aria-expanded={isOpen}
          aria-label={t('Search rows')}
          title={t('Search rows')}
          hidden={isOpen}
          onClick={() => setOpened({ viewId: view.id, text: '' })}
        >
          <i className="pi pi-search" aria-hidden="true" />
        </button>
        {field && (
          <SearchField
            label={t('Search rows')}
            value={field.text}
            onChange={(text) => setOpened({ viewId: view.id, text })}
          />
        )}
      </div>
    );
  };
}
