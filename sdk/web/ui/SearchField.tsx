import { type ReactNode } from 'react';

/** The props of a field that filters a list. @public */
export interface SearchFieldProps {
  /** What is searched: "Search tables". */
  readonly label: string;
  readonly value: string;
  onChange(this: void, value: string): void;
}

/** A search field; Escape empties it before it closes anything. @public */
export function SearchField({ label, value, onChange }: SearchFieldProps): ReactNode {
  return (
    <label className="tr-search">
      <i className="pi pi-search" aria-hidden="true" />
      <input
        type="search"
        value={value}
        placeholder={label}
        aria-label={label}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.stopPropagation();
          onChange('');
        }}
      />
    </label>
  );
}

/** Whether a text contains every word of a search. @public */
export function matchesSearch(text: string, search: string): boolean {
  const haystack = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}
