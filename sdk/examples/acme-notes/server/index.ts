import { BusToken, defineRoute, defineServerPlugin, SchemaStoreToken } from '@trellis/sdk/server';
import { longestNote, notesKind } from '../shared/index.ts';
import { migrations, NoteStore } from './note-store.ts';

export default defineServerPlugin({
  migrations,
  setup(ctx) {
    const notes = new NoteStore(ctx.db);
    const table = { kind: 'table', param: 'tableId' } as const;

    // A deleted table can be brought back, and its note with it. Purged ones are gone for good.
    ctx.tap('tables.didPurge', ({ tableId }) => notes.forget({ table_id: tableId }));
    ctx.tap('projects.didPurge', ({ projectId }) => notes.forget({ project_id: projectId }));

    ctx.routes(
      defineRoute({
        method: 'GET',
        path: 'projects/:projectId/notes',
        permission: 'tableList',
        object: { kind: 'project', param: 'projectId' },
        summary: 'List the notes about tables that the caller sees, as objects of the side bar',
        async handle({ scope, params: { projectId = '' } }) {
          const { tables } = await ctx.get(SchemaStoreToken).snapshot(scope);
          const list = (await notes.tablesOf(projectId)).flatMap((id) => {
            const title = tables.get(id)?.title;
            return title === undefined ? [] : [{ id, title }];
          });
          return { list };
        },
      }),
      defineRoute({
        method: 'GET',
        path: 'tables/:tableId/note',
        permission: 'tableGet',
        object: table,
        summary: 'Read the note about a table',
        handle: async ({ params: { tableId = '' } }) => ({ text: await notes.textOf(tableId) }),
      }),
      defineRoute<Record<string, string>, Record<string, unknown>, { readonly text: string }>({
        method: 'PUT',
        path: 'tables/:tableId/note',
        permission: 'tableUpdate',
        object: table,
        summary: 'Write the note about a table; an empty text removes it',
        schemas: {
          body: {
            type: 'object',
            required: ['text'],
            properties: { text: { type: 'string', maxLength: longestNote } },
          },
        },
        async handle({ scope, params: { tableId = '' }, body }) {
          const { projectId = '', requestId } = scope;
          await notes.write(projectId, tableId, body.text.trim());
          // Every open page reads the list again.
          ctx.get(BusToken).publish('objects.changed', { projectId, objectKind: notesKind, requestId });
          return {};
        },
      }),
    );
  },
});
