import JsBarcode from 'jsbarcode';
import qrcode from 'qrcode-generator';

/** A code as dark squares: the path to fill, and the picture's size with the margin that cameras need. */
export interface CodePath {
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

const longestBarcode = 80;
/** The capacity in bytes of the largest QR code of this kind. */
const longestQr = 2331;
const margin = { qr: 4, bars: 10 };

/** A QR code of the text's UTF-8; undefined if the text is too long. */
export function qrPath(text: string): CodePath | undefined {
  const bytes = new TextEncoder().encode(text);
  // Checked before they are spread into a call's arguments, whose number is limited.
  if (bytes.length > longestQr) return undefined;
  const code = qrcode(0, 'M');
  code.addData(String.fromCharCode(...bytes), 'Byte');
  code.make();
  const count = code.getModuleCount();
  let path = '';
  for (let row = 0; row < count; row += 1)
    for (let column = 0; column < count; column += 1)
      if (code.isDark(row, column)) path += `M${column + margin.qr} ${row + margin.qr}h1v1h-1z`;
  return { path, width: count + 2 * margin.qr, height: count + 2 * margin.qr };
}

/** The bars of Code 128; undefined for texts that it cannot represent. */
export function barcodePath(text: string): CodePath | undefined {
  if (text.length > longestBarcode || !/^[ -~]+$/.test(text)) return undefined;
  const target: { encodings?: readonly { readonly data: string }[] } = {};
  JsBarcode(target, text, { format: 'CODE128' });
  const bits = (target.encodings ?? []).map(({ data }) => data).join('');
  const height = Math.max(20, Math.round(bits.length / 4));
  let path = '';
  for (const { 0: bar, index } of bits.matchAll(/1+/g))
    path += `M${index + margin.bars} 0h${bar.length}v${height}h-${bar.length}z`;
  return { path, width: bits.length + 2 * margin.bars, height };
}
