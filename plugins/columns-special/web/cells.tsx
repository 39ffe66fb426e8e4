import { useT, type CellProps } from '@trellis/sdk/web';
import { Popover } from '@trellis/sdk/web/ui';
import { lazy, Suspense, useState } from 'react';
import type { CodeImageProps } from './CodeImage.tsx';

// It contains the libraries that compute the codes.
const CodeImage = lazy(() => import('./CodeImage.tsx'));

/** A code, which opens large enough for a camera, and its text. */
function CodeCell({ text, kind }: CodeImageProps) {
  const t = useT();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const label = t('Code of {{text}}', { text });
  return (
    <span className="cp-code">
      <button
        type="button"
        className="cp-thumb"
        tabIndex={-1}
        aria-label={label}
        aria-haspopup="dialog"
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          setAnchor(event.currentTarget);
        }}
      >
        <Suspense fallback={null}>
          <CodeImage kind={kind} text={text} />
        </Suspense>
      </button>
      <span className="cp-text">{text}</span>
      {anchor !== undefined && (
        <Popover label={label} anchor={anchor} width={280} onClose={() => setAnchor(undefined)}>
          <figure className="cp-large">
            <Suspense fallback={null}>
              <CodeImage kind={kind} text={text} explains />
            </Suspense>
            <figcaption>{text}</figcaption>
          </figure>
        </Popover>
      )}
    </span>
  );
}

export function BarcodeCell({ value }: CellProps<string>) {
  return value === null || value === '' ? null : <CodeCell kind="bars" text={String(value)} />;
}

export function QrCodeCell({ value }: CellProps<string>) {
  return value === null || value === '' ? null : <CodeCell kind="qr" text={String(value)} />;
}

export function GeometryCell({ value }: CellProps<string>) {
  return <code className="cp-text cp-shape">{value}</code>;
}

export function SpecificCell({ value }: CellProps<string>) {
  return (
    <span className="cp-text">
      {typeof value === 'object' && value !== null ? JSON.stringify(value) : value}
    </span>
  );
}
