import type { JsonSchema } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import type { ApiDocument, Method, Operation, Parameter } from '../shared/index.ts';
import { fieldsOf, resolved, typeText } from './schema-text.ts';

interface ListedOperation {
  readonly method: Method;
  readonly path: string;
  readonly operation: Operation;
}

/** A document's operations by tag, in the document's order. */
function byTag({ paths }: ApiDocument): ReadonlyMap<string, readonly ListedOperation[]> {
  const listed = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method as Method, path, operation })),
  );
  const groups = new Map<string, ListedOperation[]>();
  for (const each of listed) {
    const [tag = ''] = each.operation.tags;
    groups.set(tag, [...(groups.get(tag) ?? []), each]);
  }
  return groups;
}

/** A document as a page to read: each call's parameters and answers, table by table. */
export function ReadDocument({ document }: { readonly document: ApiDocument }) {
  const t = useT();
  const groups = [...byTag(document)];
  return (
    <div className="api-docs-read">
      <nav aria-label={t('Tables')}>
        {groups.map(([tag, operations]) => (
          <details key={tag} open={groups.length === 1}>
            <summary>{tag}</summary>
            {operations.map(({ operation }) => (
              <button
                key={operation.operationId}
                type="button"
                className="tr-link"
                onClick={() => window.document.getElementById(operation.operationId)?.scrollIntoView()}
              >
                {operation.summary}
              </button>
            ))}
          </details>
        ))}
      </nav>
      <div>
        {groups.map(([tag, operations]) => (
          <section key={tag}>
            <h2>{tag}</h2>
            {operations.map((listed) => (
              <OperationText key={listed.operation.operationId} {...listed} document={document} />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

function OperationText({
  method,
  path,
  operation,
  document,
}: ListedOperation & { readonly document: ApiDocument }) {
  const t = useT();
  const parameters = (operation.parameters ?? []).map((each) => resolved<Parameter>(document, each));
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const answer = resolved<{ readonly description: string; readonly content?: object }>(
    document,
    operation.responses['200'] ?? { description: '' },
  );
  const shape = Object.values((answer.content ?? {}) as Record<string, { schema: JsonSchema }>)[0]?.schema;
  return (
    <article id={operation.operationId} className="api-docs-call">
      <h3>{operation.summary}</h3>
      <p className="api-docs-address">
        <span data-method={method}>{method.toUpperCase()}</span> <code>{path}</code>
      </p>
      {parameters.length > 0 && (
        <Fields
          title={t('Parameters')}
          rows={parameters.map(({ name, description, schema, required }) => ({
            name,
            type: typeText(schema),
            description: description ?? '',
            isRequired: required === true,
          }))}
        />
      )}
      {body && <Shape title={t('Body')} schema={body} document={document} />}
      {shape && <Shape title={t('Answer')} note={answer.description} schema={shape} document={document} />}
    </article>
  );
}

function Shape(props: {
  readonly title: string;
  readonly note?: string;
  readonly schema: JsonSchema;
  readonly document: ApiDocument;
}) {
  const { title, note, schema, document } = props;
  const fields = fieldsOf(document, schema);
  if (fields.length > 0) return <Fields title={title} note={note} rows={fields} />;
  return (
    <p className="api-docs-shape">
      <strong>{title}</strong> {note} <code>{typeText(schema)}</code>
    </p>
  );
}

interface Field {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
}

function Fields({
  title,
  note,
  rows,
}: {
  readonly title: string;
  readonly note?: string;
  readonly rows: readonly Field[];
}) {
  const t = useT();
  return (
    <details className="api-docs-fields">
      <summary>
        <strong>{title}</strong> {note}
      </summary>
      <dl>
        {rows.map(({ name, type, description, isRequired }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
              {isRequired && <small>{t('required')}</small>}
            </dt>
            <dd>
              <code>{type}</code> {description}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
