import type { ColumnEntity, FilterNode } from '@trellis/sdk/shared';
import { useRegistryItem, useT } from '@trellis/sdk/web';
import { Switch } from '@trellis/sdk/web/ui';
import { FilterEditor, isSameTree, type OffersComparison, type ViewColumn } from '@trellis/sdk/web/views';
import { asksOfLinks, type FieldOptions } from '../shared/index.ts';
import { localTime, momentIn } from './moments.ts';
import { asItIs, DependentText, OptionText } from './OptionFields.tsx';

export interface FieldSettingsProps {
  readonly field: ViewColumn;
  /** The columns of the preceding fields, which the condition may use. */
  readonly earlier: readonly ColumnEntity[];
  /** An unsaved condition. */
  readonly draft: readonly FilterNode[] | undefined;
  onDraft(this: void, condition: readonly FilterNode[] | undefined): void;
  /** Resolves to whether the change was accepted. */
  onChange(this: void, options: Partial<FieldOptions>): Promise<boolean>;
  onClose(this: void): void;
}

const numeric = ['integer', 'bigint', 'decimal', 'float'];
const texts = ['string', 'text'];

/** The settings of one field of the form. */
export function FieldSettings(props: FieldSettingsProps) {
  const { field, earlier, draft, onDraft, onChange, onClose } = props;
  const t = useT();
  const { column } = field;
  const options = field.options as FieldOptions;
  const isNumber = numeric.includes(column.storage);
  const isText = texts.includes(column.storage);
  const isDay = column.storage === 'date';
  const isMoment = column.storage === 'datetime';
  const type = useRegistryItem('columnTypes', column.uidt);
  const [momentType, shownMoment, keptMoment] = isDay
    ? (['date', asItIs, asItIs] as const)
    : (['datetime-local', localTime, momentIn] as const);
  const limit = (text: string) => (text.trim() === '' ? null : Number(text));
  const texted = (value: number | null) => (value === null ? '' : String(value));
  return (
    <section className="form-settings" aria-label={t('Settings of {{field}}', { field: column.title })}>
      <button type="button" className="tr-link" onClick={onClose}>
        <i className="pi pi-arrow-left" aria-hidden="true" /> {t('All fields')}
      </button>
      <h2>{column.title}</h2>
      <OptionText
        label={t('Label')}
        value={options.label}
        placeholder={column.title}
        maxLength={255}
        onSave={(label) => onChange({ label: label.trim() })}
      />
      <OptionText
        label={t('Help text')}
        value={options.help}
        isLong
        maxLength={2000}
        onSave={(help) => onChange({ help })}
      />
      <Switch checked={options.required} onChange={(required) => void onChange({ required })}>
        {t('Required')}
      </Switch>
      <DependentText
        isNeeded={options.required}
        label={t('Message when it is missing')}
        value={options.requiredMessage}
        placeholder={t('Please answer this.')}
        maxLength={500}
        onSave={(requiredMessage) => onChange({ requiredMessage })}
      />
      {type?.namesPeople === true && (
        <small className="tr-note">{t('Strangers who have the link are not asked for it.')}</small>
      )}
      {(isDay || isMoment) && (
        <div className="form-pair">
          <OptionText
            label={t('Earliest')}
            type={momentType}
            value={shownMoment(options.earliest)}
            onSave={(text) => onChange({ earliest: keptMoment(text) })}
          />
          <OptionText
            label={t('Latest')}
            type={momentType}
            value={shownMoment(options.latest)}
            onSave={(text) => onChange({ latest: keptMoment(text) })}
          />
        </div>
      )}
      {(isNumber || isText) && (
        <div className="form-pair">
          <OptionText
            label={isNumber ? t('At least') : t('Characters at least')}
            type="number"
            value={texted(options.least)}
            onSave={(text) => onChange({ least: limit(text) })}
          />
          <OptionText
            label={isNumber ? t('At most') : t('Characters at most')}
            type="number"
            value={texted(options.most)}
            onSave={(text) => onChange({ most: limit(text) })}
          />
        </div>
      )}
      <DependentText
        isNeeded={options.least !== null || options.earliest !== ''}
        label={isNumber || isText ? t('Message below the least') : t('Message before the earliest')}
        value={options.leastMessage}
        maxLength={500}
        onSave={(leastMessage) => onChange({ leastMessage })}
      />
      <DependentText
        isNeeded={options.most !== null || options.latest !== ''}
        label={isNumber || isText ? t('Message above the most') : t('Message after the latest')}
        value={options.mostMessage}
        maxLength={500}
        onSave={(mostMessage) => onChange({ mostMessage })}
      />
      {isText && (
        <>
          <OptionText
            label={t('Pattern')}
            value={options.pattern}
            maxLength={200}
            hint={t('A regular expression that the whole text matches, such as [A-Z]{2}[0-9]+')}
            onSave={(pattern) => onChange({ pattern })}
          />
          <DependentText
            isNeeded={options.pattern !== ''}
            label={t('Message when it does not match')}
            value={options.patternMessage}
            maxLength={500}
            onSave={(patternMessage) => onChange({ patternMessage })}
          />
        </>
      )}
      <OptionText
        label={t('Heading over the field')}
        value={options.section}
        maxLength={255}
        onSave={(section) => onChange({ section: section.trim() })}
      />
      <Switch checked={options.startsPage} onChange={(startsPage) => void onChange({ startsPage })}>
        {t('Begins a page')}
      </Switch>
      <Switch checked={options.hidden} onChange={(hidden) => void onChange({ hidden })}>
        {t('Hidden: filled in by the address')}
      </Switch>
      {options.hidden && (
        <small className="tr-note">
          {t('Add {{text}} to the link.', { text: `?${encodeURIComponent(column.title)}=…` })}
        </small>
      )}
      <Switch checked={options.creatorsOnly} onChange={(creatorsOnly) => void onChange({ creatorsOnly })}>
        {t('For owners and creators alone')}
      </Switch>
      {options.creatorsOnly && (
        <small className="tr-note">
          {t('Other people are not asked for it, and strangers are not told of it.')}
        </small>
      )}
      <h3>{t('Show only when')}</h3>
      <Condition
        columns={earlier}
        saved={options.condition}
        draft={draft}
        onDraft={onDraft}
        onSave={(condition) => onChange({ condition })}
      />
    </section>
  );
}

/** Of links only their existence can be compared, whatever else their type supports. */
const isAskable: OffersComparison = ({ virtual }, { id }) => virtual !== true || asksOfLinks(id);

/** A condition is saved only when it is complete: an incomplete one would hide the field. */
function Condition(props: {
  readonly columns: readonly ColumnEntity[];
  readonly saved: readonly FilterNode[];
  readonly draft: readonly FilterNode[] | undefined;
  readonly onDraft: (condition: readonly FilterNode[] | undefined) => void;
  readonly onSave: (condition: readonly FilterNode[]) => Promise<boolean>;
}) {
  const { draft, onDraft } = props;
  const t = useT();
  if (props.columns.length === 0)
    return <p className="tr-note">{t('Conditions ask of the fields before this one; there are none.')}</p>;
  const isChanged = draft !== undefined && !isSameTree(draft, props.saved);
  return (
    <>
      <FilterEditor
        columns={props.columns}
        value={draft ?? props.saved}
        emptyText={t('The field is always shown.')}
        offers={isAskable}
        onChange={onDraft}
      />
      {isChanged && (
        <>
          <p className="tr-note">{t('The condition is not saved yet.')}</p>
          <button
            type="button"
            className="tr-button tr-button--primary"
            onClick={() => void props.onSave(draft).then((isTaken) => isTaken && onDraft(undefined))}
          >
            {t('Save the condition')}
          </button>
        </>
      )}
    </>
  );
}
