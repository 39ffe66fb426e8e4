import type { CoverProps } from '@trellis/sdk/web';
import { filesOf } from '../shared/index.ts';
import { shownKind } from './file-links.ts';
import { FileThumb } from './FileThumb.tsx';

/** The first picture of a cell; the icon of its first file where it has none. */
export function AttachmentCover({ value }: CoverProps<string>) {
  const files = filesOf(value);
  const file = files.find((each) => shownKind(each) === 'picture') ?? files[0];
  return file === undefined ? null : <FileThumb key={file.url} file={file} size="cover" />;
}
