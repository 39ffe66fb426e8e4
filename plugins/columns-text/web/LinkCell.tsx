import { useT, type CellProps } from '@trellis/sdk/web';
import { linkOf } from '../shared/index.ts';

interface LinkCellProps {
  readonly value: string | null;
  readonly href: string | undefined;
  readonly icon: string;
  /** What following the link does. */
  readonly action: string;
  /** Opens beside this page, which the other page cannot reach. */
  readonly isPage?: boolean;
  /** Digits and signs keep their order on a page that is read from right to left. */
  readonly isNumber?: boolean;
  readonly selected: boolean;
}

/** A text and beside it the way to where it leads, so that a click on the text selects the cell like any other. */
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
