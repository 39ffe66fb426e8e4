import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from '@jest/globals';
import { BundledCommand } from '../../sdk/testing/bundled-command.ts';

const command = new BundledCommand();
afterAll(() => command.dispose());

/** An author's plugin folder: sources by path. */
export type PluginSources = Readonly<Record<string, string>>;

/** Writes a plugin's folder outside the repository, builds it as its author would, and installs it. */
export function buildAndInstall(id: string, sources: PluginSources, dataDir: string): void {
  const folder = mkdtempSync(join(tmpdir(), `trellis-${id}-`));
  try {
    for (const [file, text] of Object.entries(sources)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    buildAndInstallFolder(id, folder, dataDir);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds a plugin's folder and installs the build, as version 1.0.0 or the given one. */
export function buildAndInstallFolder(id: string, folder: string, dataDir: string, version = '1.0.0'): void {
  const { status, output } = command.run(['build', folder]);
  if (status !== 0) throw new Error(`'${id}' could not be built:\n${output}`);
  const installed = join(dataDir, 'plugins', id, version);
  mkdirSync(installed, { recursive: true });
  cpSync(join(folder, 'dist'), join(installed, 'dist'), { recursive: true });
  cpSync(join(folder, 'plugin.json'), join(installed, 'plugin.json'));
}

function manifest(id: string, name: string, more: object): string {
  const base = { id, name, version: '1.0.0', category: 'app', engines: { trellis: '*' }, sdk: 1 };
  return JSON.stringify({ ...base, enabledByDefault: true, ...more });
}

/** A third-party plugin that uses every extension point of the page. */
export const deals: PluginSources = {
  'plugin.json': manifest('acme-deals', 'Acme deals', {
    dependencies: { 'sys-tables': '^1.0.0' },
    contributes: {
      filterOperators: [{ id: 'acme.initial' }],
      toolbarItems: [{ id: 'acme.tool' }],
      cellActions: [{ id: 'acme.greet' }],
      commands: [{ id: 'acme.hello' }],
      settingsPanels: [{ id: 'acme.settings' }],
      menuItems: [{ id: 'acme.page' }, { id: 'acme.rename' }, { id: 'acme.table' }, { id: 'acme.view' }],
      dashboardTabs: [{ id: 'acme.deals' }, { id: 'acme.board' }],
      objectKinds: [{ id: 'acme.board' }],
    },
  }),
  'shared/index.ts': `
    import type { FilterOperator } from '@trellis/sdk/shared';
    export const initial: FilterOperator = {
      id: 'acme.initial',
      label: 'begins with the letter',
      arity: 'one',
      takes: 'words',
      appliesTo: ({ storage }) => storage === 'string',
      build: ({ column, value }) => ({ kind: 'like', item: column, pattern: String(value) + '%' }),
    };`,
  'server/index.ts': `
    import { defineRoute, defineServerPlugin, LiveChannelToken, MailerToken } from '@trellis/sdk/server';
    import { initial } from '../shared/index.ts';

    interface Board {
      readonly id: string;
      readonly title: string;
    }

    export default defineServerPlugin({
      setup(ctx) {
        ctx.register('filterOperators', initial);
        const boards = (projectId: string) => ctx.kv.get<Board[]>(projectId).then((list) => list ?? []);
        const object = { kind: 'project', param: 'projectId' } as const;
        ctx.routes(
          defineRoute({
            method: 'GET',
            path: 'boards/:projectId',
            permission: 'projectGet',
            object,
            summary: 'The boards of a project',
            handle: async ({ params }) => ({ list: await boards(params.projectId ?? '') }),
          }),
          defineRoute<Record<string, string>, Record<string, unknown>, Board>({
            method: 'PUT',
            path: 'boards/:projectId',
            permission: 'projectUpdate',
            object,
            summary: 'Keep a board',
            schemas: {
              body: { type: 'object', properties: { id: { type: 'string' }, title: { type: 'string' } } },
            },
            async handle({ params, body, scope }) {
              const { projectId = '' } = params;
              const others = (await boards(projectId)).filter(({ id }) => id !== body.id);
              await ctx.kv.set(projectId, [...others, body]);
              const { requestId } = scope;
              ctx.get(LiveChannelToken).publish({ kind: 'objects', projectId, objectKind: 'acme.board', requestId });
              return {};
            },
          }),
        );
        ctx.routes(
          defineRoute({
            method: 'POST',
            path: 'mail',
            permission: 'signedIn',
            summary: 'Tell the winner',
            async handle() {
              await ctx.get(MailerToken).send({ to: ['winner@example.com'], subject: 'Won', text: 'A deal is won.' });
              return {};
            },
          }),
        );
      },
    });`,
  'web/index.tsx': `
    import type { DidSpec, ProjectEntity } from '@trellis/sdk/shared';
    import { defineWebPlugin, useRegistry, type ApiError, type FilterValueProps, type ViewProps } from '@trellis/sdk/web';
    import { useState } from 'react';
    import { initial } from '../shared/index.ts';

    declare module '@trellis/sdk/web' {
      interface WebRegistries {
        'acme.stages': { readonly id: string; readonly label: string };
      }
      interface WebHooks {
        'acme.didCount': DidSpec<{ readonly stages: number }>;
      }
    }

    const Tool = ({ table }: ViewProps) => <button type="button">Acme looks at {table.title}</button>;
    const Page = () => <main><h1>The page of Acme</h1></main>;
    const Settings = () => <p>Acme has nothing to choose.</p>;
    function Initial({ value, onChange }: FilterValueProps) {
      return (
        <span role="group" aria-label="Letter">
          {['A', 'L', 'Z'].map((letter) => (
            <button key={letter} type="button" aria-pressed={value === letter} onClick={() => onChange(letter)}>
              {letter}
            </button>
          ))}
        </span>
      );
    }

    export default defineWebPlugin({
      setup(ctx) {
        ctx.registries.define('acme.stages', { absentPolicy: 'not listed' });
        ctx.hooks.define('acme.didCount', { kind: 'did', policy: 'contain', description: 'After a count.' });
        function Deals() {
          const stages = useRegistry('acme.stages');
          const [said, setSaid] = useState('');
          async function mail() {
            const sent = ctx.api.request({ method: 'POST', path: '/api/v1/plugins/acme-deals/mail' });
            setSaid(await sent.then(() => 'Mail is on its way', ({ code, message }: ApiError) => code + ': ' + message));
          }
          return (
            <section aria-label="Deals">
              {stages.map(({ id, label }) => <p key={id}>Stage {label}</p>)}
              <button type="button" onClick={() => void ctx.hooks.call('acme.didCount', { stages: stages.length })}>
                Count
              </button>
              <button type="button" onClick={() => void mail()}>Tell the winner</button>
              <output aria-label="Mail">{said}</output>
            </section>
          );
        }
        ctx.register('toolbarItems', { id: 'acme.tool', slot: 'view-toolbar-end', Component: Tool });
        ctx.register('cellActions', {
          id: 'acme.greet',
          label: 'Greet',
          icon: 'comment',
          run: ({ row }, { toast }) => toast({ severity: 'info', summary: 'Hello ' + String(row['Title']) }),
        });
        ctx.register('commands', {
          id: 'acme.hello',
          label: 'Say hello',
          category: 'Acme',
          keys: 'alt+shift+h',
          when: ({ project }) => project !== undefined,
          run: ({ project }, { toast }) => toast({ severity: 'info', summary: 'Acme greets ' + project?.title }),
        });
        ctx.register('settingsPanels', { id: 'acme.settings', label: 'Acme', Component: Settings });
        ctx.register('routes', { id: 'acme.page', path: '/acme', title: 'Acme', Component: Page });
        ctx.register('menuItems', {
          id: 'acme.page',
          menu: 'main',
          label: 'Page of Acme',
          icon: 'star',
          run: (_context, { navigate }) => navigate('/acme'),
        });
        const boardsOf = ({ id }: ProjectEntity) => '/api/v1/plugins/acme-deals/boards/' + encodeURIComponent(id);
        const keep = (project: ProjectEntity | undefined, body: { id: string; title: string }) =>
          project === undefined
            ? Promise.resolve()
            : ctx.api.request<void>({ method: 'PUT', path: boardsOf(project), body });
        ctx.register('objectKinds', {
          id: 'acme.board',
          label: 'Boards',
          icon: 'chart-bar',
          list: boardsOf,
          create: { label: 'Create board', run: ({ project }) => keep(project, { id: 'b1', title: 'Sales' }) },
        });
        ctx.register('dashboardTabs', {
          id: 'acme.board',
          label: 'Board',
          icon: 'chart-bar',
          perObject: true,
          Component: ({ tab }) => <h2>The board {tab.name}</h2>,
        });
        ctx.register('menuItems', {
          id: 'acme.rename',
          menu: 'object',
          label: 'Call it profit',
          when: ({ object }) => object?.kind === 'acme.board',
          run: ({ project, object }) => keep(project, { id: object?.id ?? '', title: 'Profit' }),
        });
        ctx.register('menuItems', {
          id: 'acme.table',
          menu: 'table',
          label: 'Count on it',
          run: ({ project, table }, { toast }) =>
            toast({ severity: 'info', summary: table?.title + ' of ' + project?.title + ' counts' }),
        });
        ctx.register('menuItems', {
          id: 'acme.view',
          menu: 'view',
          label: 'Look closely',
          when: ({ view }) => view?.title === 'Near',
          run: ({ table, view }, { toast }) =>
            toast({ severity: 'info', summary: 'A ' + view?.title.toLowerCase() + ' look at ' + table?.title }),
        });
        ctx.register('dashboardTabs', { id: 'acme.deals', label: 'Deals', icon: 'briefcase', Component: Deals });
        ctx.register('filterOperators', { ...initial, ValueInput: Initial });
      },
    });`,
};

/** A second plugin that adds to the first one's registry and taps its hook. */
export const stages: PluginSources = {
  'plugin.json': manifest('acme-stages', 'Acme stages', {
    dependencies: { 'acme-deals': '^1.0.0' },
    contributes: { 'acme.stages': [{ id: 'won' }] },
  }),
  'web/index.tsx': `
    import { defineWebPlugin } from '@trellis/sdk/web';

    export default defineWebPlugin({
      setup(ctx) {
        ctx.register('acme.stages', { id: 'won', label: 'Won' });
        ctx.tap('acme.didCount', ({ stages }) => {
          document.body.dataset.acme = String(stages);
        });
      },
    });`,
};

/** A third plugin that sends all others' mail over the network, with its own settings. */
export const post: PluginSources = {
  'plugin.json': manifest('acme-post', 'Acme post', {
    category: 'email',
    contributes: { mailAdapters: [{ id: 'acme.post' }] },
    settings: {
      type: 'object',
      required: ['host'],
      properties: { host: { type: 'string', title: 'Server' }, port: { type: 'integer', default: 25 } },
    },
  }),
  'server/index.ts': `
    import { connect } from 'node:net';
    import { defineServerPlugin, type MailMessage } from '@trellis/sdk/server';

    /** Says its lines to a mail server, each one after the answer to the one before; fails at the first refusal. */
    async function dialogue(target: { host: string; port: number }, lines: readonly string[], signal: AbortSignal) {
      const socket = connect({ ...target, signal });
      const said = lines.values();
      try {
        for await (const answer of socket.setEncoding('utf8')) {
          if (!/^[23]/.test(String(answer))) throw new Error('The mail server says ' + String(answer));
          const line = said.next();
          if (line.done) return;
          socket.write(line.value + '\\r\\n');
        }
      } finally {
        socket.destroy();
      }
    }

    const content = ({ to, subject, text }: MailMessage) =>
      ['To: ' + to.join(', '), 'Subject: ' + subject, '', text, '.'].join('\\r\\n');

    export default defineServerPlugin<{ readonly host: string; readonly port: number }>({
      setup(ctx) {
        const target = () => ctx.settings.current;
        ctx.register('mailAdapters', {
          id: 'acme.post',
          label: 'Acme post',
          isConfigured: () => target().host !== undefined,
          verify: ({ signal }) => dialogue(target(), ['HELO acme'], signal),
          send: (message, { signal }) =>
            dialogue(
              target(),
              [
                'HELO acme',
                'MAIL FROM:<deals@acme.example>',
                ...message.to.map((address) => 'RCPT TO:<' + address + '>'),
                'DATA',
                content(message),
                'QUIT',
              ],
              signal,
            ),
        });
      },
    });`,
};
