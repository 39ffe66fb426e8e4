/** How the page can show a file. */
export type FileKind = 'picture' | 'pdf' | 'video' | 'audio' | 'text' | 'other';

/** The known media types, by file extension. The content decides what a file really is (see `media-type.ts` of the server). */
const typesByEnding: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  pdf: 'application/pdf',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  ogv: 'video/ogg',
  webm: 'video/webm',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  css: 'text/css',
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  dotx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.template',
  odm: 'application/vnd.oasis.opendocument.text-master',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  ott: 'application/vnd.oasis.opendocument.text-template',
  pot: 'application/vnd.ms-powerpoint',
  potx: 'application/vnd.openxmlformats-officedocument.presentationml.template',
  ppsx: 'application/vnd.openxmlformats-officedocument.presentationml.slideshow',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  rtf: 'application/rtf',
  sldx: 'application/vnd.openxmlformats-officedocument.presentationml.slide',
  xlam: 'application/vnd.ms-excel.addin.macroenabled.12',
  xls: 'application/vnd.ms-excel',
  xlsb: 'application/vnd.ms-excel.sheet.binary.macroenabled.12',
  xlsm: 'application/vnd.ms-excel.sheet.macroenabled.12',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xltm: 'application/vnd.ms-excel.template.macroenabled.12',
  '7z': 'application/x-7z-compressed',
  gz: 'application/gzip',
  tar: 'application/x-tar',
  zip: 'application/zip',
};

/** The type of a file that is not recognised. */
export const unknownType = 'application/octet-stream';

/** The extension of a name, in lower case and without its dot; empty if there is none. */
export function endingOf(name: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** The media type for the extension of a name; undefined for an unknown one. */
export function typeOfName(name: string): string | undefined {
  const ending = endingOf(name);
  return Object.hasOwn(typesByEnding, ending) ? typesByEnding[ending] : undefined;
}

const shownPictures = /^image\/(?:avif|bmp|gif|jpeg|png|svg\+xml|webp|x-icon)$/;
const shownTexts = /^(?:text\/[a-z-]+|application\/(?:json|xml|yaml))$/;

/** How the page can show a file of this media type. */
export function kindOf(type: string): FileKind {
  if (shownPictures.test(type)) return 'picture';
  if (type === 'application/pdf') return 'pdf';
  if (/^video\/(?:mp4|ogg|quicktime|webm)$/.test(type)) return 'video';
  if (/^audio\/(?:flac|mp4|mpeg|ogg|wav)$/.test(type)) return 'audio';
  return shownTexts.test(type) ? 'text' : 'other';
}

const iconsByEnding: readonly (readonly [string, RegExp])[] = [
  ['mdi-pdf-box', /^pdf$/],
  ['mdi-file-word-outline', /^(?:docx|dotx|odt|odm|ott)$/],
  ['mdi-file-powerpoint-box', /^(?:ppt|pptx|sldx|ppsx|potx)$/],
  ['mdi-file-excel-outline', /^(?:xls|xlam|xlsb|xltm|xlsm)$/],
];

/** The icon of office files for clients of the v1 API; undefined for others. */
export function iconOf(name: string): string | undefined {
  const ending = endingOf(name);
  return iconsByEnding.find(([, endings]) => endings.test(ending))?.[0];
}
