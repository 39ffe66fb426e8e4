export { attachment } from './attachment.ts';
export {
  cellOf,
  fileIdOf,
  filesOf,
  sameFile,
  mostFiles,
  readFiles,
  textOf,
  tidyTitle,
  waitingMs,
} from './attachments.ts';
export { endingOf, iconOf, kindOf, typeOfName, unknownType, type FileKind } from './file-types.ts';
export { fileProblem, megabyte, type AttachmentOptions, type FileProblem } from './options.ts';
export { isPreviewSize, mayHavePreview, previewSizes, type PreviewSize } from './previews.ts';
