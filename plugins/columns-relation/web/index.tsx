import { defineWebColumnType, defineWebPlugin, lazyPart, useOpenRequest } from '@trellis/sdk/web';
import { lazy, Suspense, type ComponentType } from 'react';
import { count, linkedKeysOf, linkToAnotherRecord, lookup, rollup } from '../shared/index.ts';
import { addressedLinks } from './addressed-links.ts';
import { keptLinks } from './kept-links.ts';
import { linkOf } from './link-calls.ts';
import { createLinkCell, createLinkField } from './LinkCell.tsx';
import { linkFilterOperators } from './link-filter-operators.ts';
import { LinkOptionsPanel } from './LinkOptionsPanel.tsx';
import { LinkRequests } from './link-requests.ts';
import { createLookupCell } from './LookupCell.tsx';
import { wayOptionsPanel } from './WayOptionsPanel.tsx';
import { warnOfDeletion } from './warn-of-deletion.ts';
import { writeLinks } from './write-links.ts';
import { inFiles, inSight, writtenAs } from './written-as.ts';
import { lackOfCount, lackOfLink, lackOfLookup, lackOfRollup } from './lack-of.ts';
import './columns-relation.css';

const LinkDialog = lazy(() => import('./LinkDialog.tsx'));
const LinkAnswer = lazyPart(() => import('./LinkAnswer.tsx'));

/** Shows the dialog of the opened links. */
function createDialogHost(requests: LinkRequests): ComponentType {
  return function LinkDialogHost() {
    const cell = useOpenRequest(requests);
    if (cell === undefined) return null;
    return (
      <Suspense>
        <LinkDialog
          key={`${cell.column.id} ${cell.rowKey}`}
          cell={cell}
          typed={requests.typed}
          onClose={requests.close}
        />
      </Suspense>
    );
  };
}

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    for (const operator of linkFilterOperators) ctx.register('filterOperators', operator);
    const requests = new LinkRequests();
    const types = ctx.registry('columnTypes');
    const write = writtenAs(types, inFiles);
    const show = writtenAs(types, inSight);
    const own = [
      defineWebColumnType({
        ...linkToAnotherRecord,
        Editor: 'text',
        Cell: createLinkCell(requests),
        Field: createLinkField(requests),
        OptionsPanel: LinkOptionsPanel,
        open: requests.open,
        opensTyped: true,
        Answer: LinkAnswer,
        keptAnswers: keptLinks,
        addressed: addressedLinks(types),
        writeCells: writeLinks,
        warnOfDeletion,
        meaningOf: (column) => {
          const link = linkOf(column);
          return link && `rows of ${link.tableId}`;
        },
        linkedKeysOf,
        titleOf: ({ link }) => link?.title,
        lackOf: lackOfLink,
      }),
      defineWebColumnType({
        ...lookup,
        Editor: 'text',
        format: write,
        local: { show },
        Cell: createLookupCell(show),
        OptionsPanel: wayOptionsPanel({ column: true, function: false }),
        lackOf: lackOfLookup,
      }),
      defineWebColumnType({
        ...rollup,
        Editor: 'text',
        align: 'end',
        format: write,
        local: { show },
        OptionsPanel: wayOptionsPanel({ column: true, function: true }),
        lackOf: lackOfRollup,
      }),
      defineWebColumnType({
        ...count,
        Editor: 'text',
        align: 'end',
        OptionsPanel: wayOptionsPanel({ column: false, function: false }),
        lackOf: lackOfCount,
      }),
    ];
    for (const type of own) ctx.register('columnTypes', type);
    ctx.register('shellItems', {
      id: 'link-dialog',
      slot: 'overlays',
      Component: createDialogHost(requests),
    });
  },
});
