import { Suspense, type ReactNode } from 'react';
import { lazyPart } from '../lazy-part.ts';

/** With the package that makes it, which few people need. */
const QrPicture = lazyPart(async () => ({ default: (await import('./QrPicture.tsx')).QrPicture }));

/** What a QR code says. @public */
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
