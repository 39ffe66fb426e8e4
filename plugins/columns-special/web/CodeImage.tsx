import { useT } from '@trellis/sdk/web';
import { barcodePath, qrPath } from './code-path.ts';

export interface CodeImageProps {
  readonly kind: 'bars' | 'qr';
  readonly text: string;
  /** Explains why there is no code; otherwise nothing is drawn. */
  readonly explains?: boolean;
}

/** A text as a code, black on white in every theme, because cameras need that. */
export default function CodeImage({ kind, text, explains = false }: CodeImageProps) {
  const t = useT();
  const code = kind === 'qr' ? qrPath(text) : barcodePath(text);
  if (code === undefined) {
    return explains ? <p className="tr-note">{t('This text cannot be drawn as a code.')}</p> : null;
  }
  return (
    <svg
      className={`cp-image cp-image--${kind}`}
      viewBox={`0 0 ${code.width} ${code.height}`}
      preserveAspectRatio={kind === 'qr' ? undefined : 'none'}
      role="img"
      aria-label={text}
      shapeRendering="crispEdges"
    >
      <path d={code.path} />
    </svg>
  );
}
