import qrcode from 'qrcode-generator';

const margin = 4;

/** An address as a picture for a phone's camera: always dark on white, since cameras need it so. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const code = qrcode(0, 'M');
  code.addData(text, 'Byte');
  code.make();
  const count = code.getModuleCount();
  const lines = Array.from({ length: count }, (_, row) =>
    Array.from({ length: count }, (_none, column) =>
      code.isDark(row, column) ? `M${column + margin} ${row + margin}h1v1h-1z` : '',
    ).join(''),
  );
  const size = count + 2 * margin;
  return (
    <svg className="factor-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <path d={lines.join('')} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
