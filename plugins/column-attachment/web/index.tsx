import {
  defineWebColumnType,
  defineWebPlugin,
  lazyPart,
  usePluginSettings,
  type EditorProps,
} from '@trellis/sdk/web';
import type { PluginSettings } from '@trellis/sdk/shared';
import { Suspense } from 'react';
import { attachment, waitingMs, type AttachmentOptions } from '../shared/index.ts';
import { AttachmentCell } from './AttachmentCell.tsx';
import { AttachmentCover } from './AttachmentCover.tsx';
import type { AttachmentEditorProps } from './AttachmentEditor.tsx';
import { cellRequest } from './cell-request.ts';
import './column-attachment.css';

const AttachmentEditor = lazyPart<AttachmentEditorProps>(() => import('./AttachmentEditor.tsx'));

/** The maximum file size if the server has not given one. */
const usualMegabytes = 50;

function editorWith(settings: PluginSettings) {
  return function Editor(props: EditorProps<string, AttachmentOptions>) {
    const { maximumMegabytes = usualMegabytes } = usePluginSettings(settings) as {
      readonly maximumMegabytes?: number;
    };
    return (
      <Suspense fallback={null}>
        <AttachmentEditor {...props} limit={maximumMegabytes} />
      </Suspense>
    );
  };
}

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register(
      'columnTypes',
      defineWebColumnType({
        ...attachment,
        Cell: AttachmentCell,
        Cover: AttachmentCover,
        Editor: editorWith(ctx.settings),
        takesFiles: true,
        keptUnsaved: waitingMs,
        cellRequest,
        leavingNotice:
          'Files are kept while a cell of a column of files holds them. In another type their addresses stay to be read, and lead nowhere once the files are gone.',
        isSortable: () => false,
      }),
    );
  },
});
