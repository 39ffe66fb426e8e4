import { useT, type CellProps } from '@trellis/sdk/web';
import { linkOf } from '../shared/index.ts';

interface LinkCellProps {
  readonly value: string | null;
  readonly href: string | undefined;
  readonly icon: string;
  /** What the link does. */
  readonly action: string;
  /** Opens in a new tab, which cannot access this page. */
  readonly isPage?: boolean;
  /** Keeps the order of digits and signs on a right-to-left page. */
  readonly isNumber?: boolean;
  readonly selected: boolean;
}

/** A text with a separate link next to it, so that a click on the text selects the cell as usual. */
function LinkCell({ value, href, icon, action, isPage, isNumber, selected }: LinkCellProps) {
  return (
    <span className={selected ? 'ct-link ct-link--selected' : 'ct-link'}>
      <span className="tr-cell">
        <span className={href === undefined ? undefined : 'ct-text--link'} dir={isNumber ? 'ltr' : 'auto'}>
          {value}
        </span>
      </span>
      {href !== undefined && (
        <a
          className="ct-open"
          href={href}
          tabIndex={-1}
          title={action}
          aria-label={`${action}: ${value ?? ''}`}
          {...(isPage && { target: '_blank', rel: 'noopener noreferrer' })}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={(event) => event.stopPropagation()}
        >
          <i className={`pi pi-${icon}`} aria-hidden="true" />
        </a>
      )}
    </span>
  );
}

export function EmailCell({ value, selected }: CellProps<string>) {
  const t = useT();
  const href = value?.includes('@') ? `mailto:${encodeURI(value)}` : undefined;
  return <LinkCell value={value} selected={selected} href={href} icon="envelope" action={t('Write to it')} />;
}

export function PhoneCell({ value, selected }: CellProps<string>) {
  const t = useT();
  const digits = value?.replace(/[^\d+]/g, '') ?? '';
  const href = digits.length > 2 ? `tel:${digits}` : undefined;
  return (
    <LinkCell value={value} selected={selected} href={href} icon="phone" action={t('Call it')} isNumber />
  );
}

export function URLCell({ value, selected }: CellProps<string>) {
  const t = useT();
  const href = value === null ? undefined : linkOf(value);
  return (
    <LinkCell
      value={value}
      selected={selected}
      href={href}
      icon="external-link"
      action={t('Open it')}
      isPage
    />
  );
}
