import type { CoverProps } from '@trellis/sdk/web';
import { filesOf } from '../shared/index.ts';
import { shownKind } from './file-links.ts';
import { FileThumb } from './FileThumb.tsx';

/** A cell's first picture; if it has none, the icon of its first file. */
export function AttachmentCover({ value }: CoverProps<string>) {
  const files = filesOf(value);
  const file = files.find((each) => shownKind(each) === 'picture') ?? files[0];
  return file === undefined ? null : <FileThumb key={file.url} file={file} size="cover" />;
}
