import { type OptionsPanelProps, useT, useTables } from '@trellis/sdk/web';
import { ChoiceLines, Notice, Select, TextField } from '@trellis/sdk/web/ui';
import type { LinkOptions } from '../shared/index.ts';
import { LinkActions } from './LinkActions.tsx';
import { linkOf, useLinkedTable } from './link-calls.ts';

type Kind = 'hm' | 'bt' | 'mm';

/** Asks in plain words to which table a new link leads and how many rows belong together. */
export function LinkOptionsPanel(props: OptionsPanelProps<LinkOptions>) {
  return props.column === undefined ? (
    <NewLink {...props} />
  ) : (
    <ExistingLink {...props} column={props.column} />
  );
}

function NewLink({ options, project, table, onChange }: OptionsPanelProps<LinkOptions>) {
  const t = useT();
  const tables = (useTables(project?.id).data?.list ?? []).filter(({ type }) => type !== 'view');
  const link = options.link ?? {};
  // Most links lead from the many side to the one side: from a deal to its company.
  const kind: Kind = link.type ?? 'bt';
  const chosenId = kind === 'bt' ? link.parentId : link.childId;
  const other = tables.find(({ id }) => id === chosenId);

  function change(next: {
    readonly kind?: Kind;
    readonly otherId?: string;
    readonly inverseTitle?: string;
    readonly actions?: Pick<NonNullable<LinkOptions['link']>, 'onDelete' | 'onUpdate'>;
  }) {
    const type = next.kind ?? kind;
    // In the other direction other rows would be deleted, so the actions have to be chosen again.
    const { onDelete, onUpdate } = next.actions ?? (type === kind ? link : {});
    const otherId = next.otherId ?? chosenId;
    // The tables may not be loaded yet.
    const known = otherId === chosenId ? link.title : undefined;
    const title = tables.find(({ id }) => id === otherId)?.title ?? known;
    const [parentId, childId] = type === 'bt' ? [otherId, table?.id] : [table?.id, otherId];
    const inverseTitle = (next.inverseTitle ?? link.inverseTitle ?? '').trim();
    onChange({
      link: {
        ...(parentId !== undefined && { parentId }),
        ...(childId !== undefined && { childId }),
        type,
        ...(title !== undefined && { title }),
        ...(inverseTitle !== '' && { inverseTitle }),
        ...(onDelete !== undefined && { onDelete }),
        ...(onUpdate !== undefined && { onUpdate }),
      },
    });
  }

  const otherTitle = other?.title ?? link.title;
  const isChosen = chosenId !== undefined && chosenId !== '';
  const names = { one: table?.title ?? '', other: otherTitle ?? t('the other table') };
  return (
    <>
      <label className="tr-field">
        <span>{t('Table')}</span>
        <Select
          label={t('Table to link to')}
          value={chosenId ?? ''}
          options={[
            { value: '', label: t('Choose a table …') },
            ...tables.map(({ id, title }) => ({ value: id, label: title })),
          ]}
          onChange={(otherId) => change({ otherId })}
        />
      </label>
      {isChosen && (
        <>
          <div className="tr-field">
            <span>{t('How many')}</span>
            <ChoiceLines
              label={t('How many')}
              value={kind}
              options={(['bt', 'hm', 'mm'] as const).map((of) => ({
                value: of,
                label: t(sentences[of], names),
              }))}
              onChange={(of) => change({ kind: of })}
            />
          </div>
          <TextField
            label={t('Name on the other side')}
            value={link.inverseTitle ?? ''}
            placeholder={kind === 'hm' ? (table?.title ?? '') : `${table?.title ?? ''} List`}
            onChange={(inverseTitle) => change({ inverseTitle })}
          />
          <details className="cr-actions">
            <summary>{t('When linked rows are deleted or get another key')}</summary>
            <LinkActions
              kind={kind}
              parent={(kind === 'bt' ? otherTitle : table?.title) ?? t('the other table')}
              value={link}
              lacksDefault={project?.bases?.[0]?.type?.startsWith('mysql') === true}
              onChange={(actions) => change({ actions })}
            />
          </details>
        </>
      )}
    </>
  );
}

const sentences: Readonly<Record<Kind, string>> = {
  hm: 'Each row of {{one}} links to several rows of {{other}}, and each of those to one row here',
  bt: 'Each row of {{one}} links to one row of {{other}}, and each of those to several rows here',
  mm: 'Each row of {{one}} links to several rows of {{other}}, and each of those to several rows here',
};

function ExistingLink({
  options,
  project,
  table,
  column,
  onChange,
}: OptionsPanelProps<LinkOptions> & { readonly column: NonNullable<OptionsPanelProps['column']> }) {
  const t = useT();
  const link = linkOf(column);
  const other = useLinkedTable(link?.tableId);
  if (link === undefined)
    return <Notice severity="warn">{t('What this column links to is no longer there.')}</Notice>;
  const names = { one: table?.title ?? '', other: other?.title ?? '…' };
  return (
    <>
      <p className="tr-note">{t(sentences[link.type], names)}</p>
      <LinkActions
        kind={link.type}
        parent={link.type === 'bt' ? names.other : names.one}
        value={{ onDelete: link.onDelete, onUpdate: link.onUpdate, ...options.link }}
        lacksDefault={project?.bases?.[0]?.type?.startsWith('mysql') === true}
        onChange={link.isHeld ? (actions) => onChange({ ...options, link: actions }) : undefined}
      />
    </>
  );
}
