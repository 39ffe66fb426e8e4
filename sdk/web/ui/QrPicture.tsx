import qrcode from 'qrcode-generator';
import { useSharedT } from '../host.tsx';
import type { QrCodeProps } from './QrCode.tsx';

/** The light margin around a code that cameras need. */
const margin = 4;

/** A text as a QR code, black on white in every theme, since cameras read no other colours. */
export function QrPicture({ text, label }: QrCodeProps) {
  const t = useSharedT();
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const places = Array.from({ length: count }, (_, at) => at);
  const path = places
    .flatMap((row) => places.map((column) => ({ row, column })))
    .filter(({ row, column }) => code.isDark(row, column))
    .map(({ row, column }) => `M${column + margin} ${row + margin}h1v1h-1z`)
    .join('');
  const size = count + 2 * margin;
  return (
    <svg
      className="tr-qr"
      role="img"
      aria-label={label ?? t('QR code of the link')}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
