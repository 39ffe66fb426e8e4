import { templateProblems, textsIn, type RequestTemplate, type TableEntity } from '@trellis/sdk/shared';
import { InWordsOf, useAttempt, useHost, useSave } from '@trellis/sdk/web';
import {
  CopyField,
  ErrorNotice,
  Form,
  Notice,
  requestBodyProblemText,
  Select,
  Skeleton,
  Switch,
  TemplateField,
  templateProblemText,
} from '@trellis/sdk/web/ui';
import { toFilterNode } from '@trellis/sdk/web/views';
import { useRef, useState, type RefObject } from 'react';
import {
  defaultBody,
  hookOperations,
  isSameType,
  mailType,
  mostTogether,
  ownTypes,
  type HookEntity,
  type HookNotification,
  type HookOperation,
  type WholeHookEntity,
} from '../shared/index.ts';
import { byColumnName } from '../shared/by-column-name.ts';
import {
  hookPath,
  hooksTag,
  hookTag,
  saveRequest,
  useChannels,
  useSample,
  useSecret,
  useWholeHook,
  type HookDraft,
} from './hook-requests.ts';
import { operationLabels } from './HookList.tsx';
import { firstMessage, type Told } from './first-message.ts';
import { HookTry } from './HookTry.tsx';
import { MailFields } from './MailFields.tsx';
import { UrlFields } from './UrlFields.tsx';
import { columnNameOf, useNaming } from './use-naming.ts';
import { WhichChanges, type Chosen } from './WhichChanges.tsx';

type Payload = HookNotification['payload'];

const emptyPayload: RequestTemplate = {
  method: 'POST',
  path: '',
  headers: [],
  parameters: [],
  body: defaultBody,
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

interface HookEditorProps {
  readonly table: TableEntity;
  readonly hook: HookEntity | undefined;
  readonly onChange: () => void;
  readonly onBack: () => void;
  /** Called when it was saved. */
  readonly onDone: () => void;
}

/** Creates or changes a webhook, after it was read with its conditions. */
export function HookEditor(props: HookEditorProps) {
  const { data, error, refetch } = useWholeHook(props.table, props.hook);
  if (props.hook === undefined || data !== undefined) return <HookForm {...props} hook={data} />;
  if (error !== undefined) return <ErrorNotice message={error.message} onRetry={refetch} />;
  return <Skeleton height={40} count={6} />;
}

function HookForm(props: HookEditorProps & { readonly hook: WholeHookEntity | undefined }) {
  const { table, hook, onDone } = props;
  const host = useHost();
  const { t } = host;
  const { isBusy, problem, setProblem, save, conflict } = useSave({
    revision: hook?.revision ?? null,
    tags: [hooksTag(table), ...(hook === undefined ? [] : [hookTag(hook)])],
    onTakeTheirs: onDone,
  });
  const { SchemaForm } = host;
  const stored = hook && (JSON.parse(hook.notification) as HookNotification);
  const [type, setType] = useState(stored?.type ?? 'URL');
  const isUrl = type === 'URL';
  const [title, setTitle] = useState(hook?.title ?? '');
  const [operation, setOperation] = useState<HookOperation>(hook?.operation ?? 'insert');
  const [payload, setPayload] = useState<Payload>({ ...emptyPayload, ...stored?.payload });
  const [chosen, setChosen] = useState<Chosen>({
    columns: hook?.columns ?? [],
    viewId: hook?.view_id ?? null,
    hasCondition: hook?.condition === true,
    after: (hook?.conditions.after ?? []).map(toFilterNode),
    before: (hook?.conditions.before ?? []).map(toFilterNode),
  });
  const [isBatch, setBatch] = useState(hook?.batch === true);
  const name = useRef<HTMLInputElement>(null);
  const address = useRef<HTMLInputElement>(null);
  // Clients of the v1 API can create webhooks that run "before" a change; such a webhook stays one.
  const event = hook?.event ?? 'after';
  const sample = useSample(table, operation).data;
  const shown =
    sample && event === 'before' && operation !== 'delete'
      ? byColumnName(
          sample,
          (table.columns ?? []).map((column) => [column.title, columnNameOf(column)]),
        )
      : sample;
  const channels = useChannels(table).data?.list ?? [];
  const channel = channels.find((of) => isSameType(of.type, type));
  const shownType = channel?.type ?? type;
  const kinds = [...ownTypes, ...channels.map((of) => of.type)];
  const naming = useNaming(table, { event: operation === 'delete' ? 'after' : event, operation, isBatch });
  // The problems of a channel's own form, whose fields do not check templates.
  const problems =
    channel === undefined
      ? []
      : textsIn({ ...withoutUrl(payload), body: '' }).flatMap((of) => templateProblems(of, naming.shape));

  /** Applies a change, and lets the dialog ask before it is lost. */
  function changing<Value>(set: (value: Value) => void) {
    return (value: Value) => {
      props.onChange();
      setProblem(undefined);
      set(value);
    };
  }
  const patch = (change: Payload | Partial<RequestTemplate>) =>
    changing(setPayload)({ ...payload, ...change } as Payload);

  const first = (change: Partial<Told> = {}) =>
    firstMessage({ table, operation, isBatch, event, ...change }, t);
  /** A message that nobody has changed is adapted to the webhook's new subject. */
  function retell(change: Partial<Told>): void {
    if (!isUrl && text(payload.body) === first()) patch({ body: first(change) });
  }

  const bodyProblem = isUrl ? requestBodyProblemText(payload as unknown as RequestTemplate, t) : undefined;

  const draft: HookDraft = {
    title: title.trim(),
    event,
    operation,
    condition: chosen.hasCondition,
    // A paused webhook continues when it is switched on, not when it is saved.
    ...((hook === undefined || hook.paused === null) && { active: hook?.active ?? true }),
    columns: operation === 'update' ? chosen.columns : [],
    view_id: table.views?.some(({ id }) => id === chosen.viewId) === false ? null : chosen.viewId,
    batch: isBatch,
    notification: { type, payload: isUrl ? payload : withoutUrl(payload) },
  };

  /** Shows a problem at its field. */
  function refuse(field: RefObject<HTMLInputElement | null>, message: string) {
    setProblem(message);
    field.current?.focus();
  }

  async function submit() {
    if (draft.title === '') return refuse(name, t('Please give the webhook a name.'));
    if (isUrl && !/^https?:\/\/[^/\s]/i.test(text(payload.path)))
      return refuse(address, t('Please give an address that begins with http:// or https://.'));
    const isSaved = await save((replaces) =>
      host.api.request(saveRequest(table, hook, { draft, conditions: chosen, replaces })),
    );
    if (!isSaved) return;
    host.toast({ severity: 'success', summary: t('The webhook is saved') });
    onDone();
  }

  return (
    <Form
      submitLabel={t('Save')}
      isBusy={isBusy}
      problem={problem}
      conflict={conflict}
      cancelLabel={t('Back')}
      onSubmit={() => void submit()}
      onCancel={props.onBack}
    >
      <div className="webhooks-line">
        <label className="tr-field">
          <span>{t('Name')}</span>
          <input
            className="p-inputtext p-component"
            ref={name}
            autoFocus
            maxLength={255}
            value={title}
            onChange={(event) => changing(setTitle)(event.target.value)}
          />
        </label>
        <label className="tr-field">
          <span>{t('When')}</span>
          <Select<HookOperation>
            label={t('When')}
            value={operation}
            options={hookOperations.map((value) => ({ value, label: t(operationLabels[value]) }))}
            onChange={(next) => {
              retell({ operation: next });
              changing(setOperation)(next);
            }}
          />
        </label>
      </div>
      {event === 'before' && operation !== 'delete' && (
        <Notice severity="info">
          {t(
            'It was made by the API for the moment before a change: its messages have the new values alone, by the names that the columns have in the database. They are sent right after the change.',
          )}
        </Notice>
      )}
      <WhichChanges
        table={table}
        operation={operation}
        value={chosen}
        onChange={(change) => changing(setChosen)({ ...chosen, ...change })}
      />
      <Switch
        checked={isBatch}
        onChange={(on) => {
          retell({ isBatch: on });
          changing(setBatch)(on);
        }}
      >
        {t('Rows of one call together, up to {{most}} in one message', { most: mostTogether.rows })}
      </Switch>
      <label className="tr-field">
        <span>{t('How')}</span>
        <Select
          label={t('How')}
          value={shownType}
          options={[...new Set([...kinds, shownType])].map((value) => ({
            value,
            label: value === 'URL' ? t('A request to an address') : value === mailType ? t('A mail') : value,
          }))}
          onChange={(next) => {
            if (next !== 'URL' && text(payload.body) === defaultBody) patch({ body: first() });
            if (next === 'URL' && text(payload.body) === first()) patch({ body: defaultBody });
            changing(setType)(next);
          }}
        />
      </label>
      {isUrl && (
        <UrlFields
          payload={payload as unknown as RequestTemplate}
          address={address}
          naming={naming}
          onChange={patch}
        />
      )}
      {type === mailType && <MailFields payload={payload} naming={naming} onChange={patch} />}
      {channel !== undefined && (
        <InWordsOf plugin={{ id: channel.plugin }}>
          <SchemaForm
            key={type}
            schema={channel.settings}
            value={withoutUrl(payload)}
            // Replaces the whole object, because cleared fields are absent from it.
            onChange={(next) => changing(setPayload)({ ...onlyUrl(payload), ...next })}
          />
        </InWordsOf>
      )}
      {hook?.is_channel_off === true && type === stored?.type && (
        <Notice severity="warn">
          {type === mailType
            ? t(
                'This server cannot send mail yet: no plugin for mail is switched on and set up. What happens meanwhile waits.',
              )
            : t('The plugin for {{channel}} is switched off. What happens meanwhile waits.', {
                channel: type,
              })}
        </Notice>
      )}
      <div className="webhooks-line webhooks-line--body">
        <TemplateField
          label={isUrl ? t('Body') : t('Message')}
          rows={9}
          value={text(payload.body)}
          naming={naming}
          problem={bodyProblem}
          onChange={(body) => patch({ body })}
        />
        <label className="tr-field">
          <span>{t('Sample row')}</span>
          <textarea
            readOnly
            className="p-inputtext p-component webhooks-code"
            rows={9}
            value={shown === undefined ? '…' : JSON.stringify(isBatch ? [shown] : shown, null, 2)}
          />
        </label>
      </div>
      <p className="tr-note">
        {t('Placeholders are filled in: {{examples}}.', {
          examples: '{{row.Title}}, {{json row}}, {{json previous}}, {{user.email}}, {{env.NAME}}',
        })}{' '}
        {isUrl &&
          t('The signature of a request is in its header {{header}}.', { header: 'X-Trellis-Signature' })}
      </p>
      {problems.map((problem, index) => (
        <p key={index} className="tr-field-problem" role="status">
          {templateProblemText(problem, t)}
        </p>
      ))}
      {hook !== undefined && isUrl && <SigningSecret hook={hook} />}
      <HookTry table={table} hook={hook} draft={draft} data={sample} />
    </Form>
  );
}

const urlKeys: readonly string[] = ['method', 'path', 'headers', 'parameters'];

/** A channel's settings, without those that only requests to an address have. */
function withoutUrl(payload: Payload): Payload {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => !urlKeys.includes(key)));
}

/** The settings of requests, kept for a return to them. */
function onlyUrl(payload: Payload): Payload {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => urlKeys.includes(key)));
}

function SigningSecret({ hook }: { readonly hook: HookEntity }) {
  const { t, api, invalidate, confirm } = useHost();
  const { data } = useSecret(hook);
  const { problem, attempt } = useAttempt();

  async function renew() {
    const isMeant = await confirm({
      title: t('Make a new secret?'),
      message: t('For a day requests are signed by both, so that the receiver can change over.'),
      confirmLabel: t('Make a new secret'),
    });
    if (!isMeant) return;
    await attempt(() => api.request({ method: 'POST', path: `${hookPath(hook)}/secret`, body: {} }));
    invalidate([hookTag(hook)]);
  }

  return data === undefined ? null : (
    <div>
      <CopyField
        label={t('Secret of the signature')}
        value={data.secret}
        hint={problem}
        copied={t('The secret is copied')}
        refused={t('Please select the secret and copy it')}
      />
      <button type="button" className="tr-link" onClick={() => void renew()}>
        {t('Make a new secret')}
      </button>
    </div>
  );
}
