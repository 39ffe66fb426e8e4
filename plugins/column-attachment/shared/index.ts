export { attachment } from './attachment.ts';
export { cellOf, fileIdOf, filesOf, mostFiles, textOf, tidyTitle, type AttachedFile } from './attachments.ts';
export { endingOf, iconOf, kindOf, typeOfName, unknownType, type FileKind } from './file-types.ts';
export { fileProblem, megabyte, type AttachmentOptions, type FileProblem } from './options.ts';
