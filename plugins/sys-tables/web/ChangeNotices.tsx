import type { ColumnEntity, ColumnUses } from '@trellis/sdk/shared';
import { messageOfError, useRegistry, useServerData, useT, type Translate } from '@trellis/sdk/web';
import { Notice, pageLanguage, Progress } from '@trellis/sdk/web/ui';
import { sentencesOf, usesPath } from './column-requests.ts';
import type { TriedChange, useColumnTrial } from './use-column-trial.ts';

/** Says what else a change of the column's type affects; `tried` is what is known about its values. */
export function UsesNotice({
  column,
  tried,
}: {
  readonly column: ColumnEntity;
  readonly tried: TriedChange | undefined;
}) {
  const t = useT();
  const leaving = useRegistry('columnTypes').find(({ id }) => id === column.uidt)?.leavingNotice;
  const mayHoldValues = tried !== undefined && (tried.values > 0 || tried.state !== 'done');
  const { data } = useServerData<ColumnUses>(
    { path: usesPath(column.id) },
    // A use of the column, such as a filter, may have been added since the panel was last open.
    { tags: [`table:${column.fk_model_id}`], isDraft: true },
  );
  const sentences = data === undefined ? [] : sentencesOf(data, t);
  return (
    <>
      {leaving !== undefined && mayHoldValues && <Notice severity="warn">{t(leaving)}</Notice>}
      {sentences.length > 0 && (
        <Notice severity="info">
          {sentences.join(' ')} {t('Look at them after the change of type.')}
        </Notice>
      )}
    </>
  );
}

/** What happens to the values that a change loses. */
interface Loss extends Pick<TriedChange, 'values' | 'lost'> {
  /** Whether the type changes, not only its options. */
  readonly isRetype: boolean;
  /** The title of the column in the trash that keeps all former values; undefined if the project uses an external database. */
  readonly keptAs: string | undefined;
}

/** The title in the trash of a column whose values were converted. */
export function keptTitle({ title }: ColumnEntity): string {
  return `${title} (old)`;
}

/** Says how many values a change would lose, and where all values are kept. */
export function lossOf({ values, lost, isRetype, keptAs }: Loss, t: Translate): string {
  const counts = { lost: numberText(lost), values: numberText(values) };
  const loss = isRetype
    ? t('{{lost}} of {{values}} values cannot be converted and would be empty.', counts)
    : t('{{lost}} of {{values}} values hold an option that is taken away, and would lose it.', counts);
  if (keptAs === undefined) return loss;
  const title = { title: keptAs };
  return `${loss} ${t('The trash of the project keeps all former values for 30 days, as the column “{{title}}”.', title)}`;
}

function numberText(of: number): string {
  return of.toLocaleString(pageLanguage());
}

/** Says what a change would do to a column's values, before the person decides. */
export function TrialNotice({
  trial: { tried, stop, goOn },
  isRetype,
  keptAs,
}: {
  readonly trial: ReturnType<typeof useColumnTrial>;
} & Pick<Loss, 'isRetype' | 'keptAs'>) {
  const t = useT();
  if (tried === undefined) return null;
  const { state, rows, seen, values, lost, samples, error } = tried;
  if (state === 'failed') return <Notice severity="warn">{messageOfError(error, t)}</Notice>;
  const progress = t('{{seen}} of {{rows}} rows looked at', {
    seen: numberText(seen),
    rows: numberText(rows),
  });
  if (state === 'looking') {
    return (
      <div className="tables-trial">
        <Progress
          label={t('Looking at the values')}
          value={rows === 0 ? undefined : Math.min(100, Math.round((seen / rows) * 100))}
          text={progress}
        />
        <div className="tables-trial-line">
          <span>{progress}</span>
          <button type="button" className="tr-link" onClick={stop}>
            {t('Stop looking')}
          </button>
        </div>
      </div>
    );
  }
  const known = samples.filter((sample) => sample.lost === lost > 0);
  const isPart = state === 'stopped';
  return (
    <Notice
      severity={lost > 0 ? 'warn' : 'info'}
      actions={isPart ? [{ label: t('Look at all'), run: goOn }] : []}
    >
      {isPart && <p className="tables-trial-part">{progress}</p>}
      {lost > 0
        ? lossOf({ values, lost, isRetype, keptAs }, t)
        : t('All {{values}} values can be converted.', { values: numberText(values) })}
      {known.length > 0 && (
        <ul className="tables-trial-samples">
          {known.map(({ from, to }, index) => (
            // Two rows may contain the same value.
            // oxlint-disable-next-line react/no-array-index-key -- the list is never reordered
            <li key={index}>
              <q>{from}</q> → {to === null || to === '' ? <em>{t('empty')}</em> : <q>{to}</q>}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
