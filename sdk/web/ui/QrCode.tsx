import { Suspense, type ReactNode } from 'react';
import { lazyPart } from '../lazy-part.ts';

/** Loaded with its package, which few people need. */
const QrPicture = lazyPart(async () => ({ default: (await import('./QrPicture.tsx')).QrPicture }));

/** The props of a QR code. @public */
export interface QrCodeProps {
  readonly text: string;
  /** Default: that it is the code of a link. */
  readonly label?: string;
}

/** A text, such as a link, as a QR code for cameras. @public */
export function QrCode(props: QrCodeProps): ReactNode {
  return (
    <Suspense>
      <QrPicture {...props} />
    </Suspense>
  );
}
