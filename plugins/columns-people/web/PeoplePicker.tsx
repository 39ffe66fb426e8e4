import { messageOfError, useT } from '@trellis/sdk/web';
import { PickPanel, SearchList, type SearchOption } from '@trellis/sdk/web/ui';
import { nameOf } from '../shared/index.ts';
import { personOf, usePeople } from './use-people.ts';

interface PeoplePickerProps {
  readonly label: string;
  readonly projectId: string;
  readonly anchor: HTMLElement;
  readonly chosen: readonly string[];
  readonly isMultiple: boolean;
  readonly initialSearch?: string | undefined;
  /** The first entry: the person who picks or, in a filter, the word for them. */
  readonly first?: { readonly id: string; readonly label?: string; readonly detail: string } | undefined;
  readonly mayClear: boolean;
  readonly onChoose: (email: string) => void;
  readonly onClear: () => void;
  /** Called after a press outside, or on the button that closes the list. */
  readonly onDone: () => void;
  readonly onCancel: () => void;
  /** Called for Tab, with the typed or highlighted person. */
  readonly onTab: (email: string | undefined, move: 'left' | 'right') => void;
}

/** A project's people with a search; chosen people who have left are included, so that they can be removed. */
export function PeoplePicker(props: PeoplePickerProps) {
  const { label, chosen, first, isMultiple, onCancel, onDone } = props;
  const t = useT();
  const { people, isLoading, isKnown, error } = usePeople(props.projectId);
  const left = chosen.filter((email) => email !== first?.id && people.every((of) => of.email !== email));
  const others = people.map(({ email }) => email).filter((email) => email !== first?.id);

  function line(email: string): SearchOption {
    const person = personOf(people, email);
    const word = first?.id === email ? first : undefined;
    const details = [
      word?.detail,
      person.name === undefined || word?.label !== undefined ? undefined : email,
      isKnown && left.includes(email) ? t('no member any more') : undefined,
    ];
    return {
      id: email,
      label: word?.label ?? (person.name === undefined ? email : nameOf(person)),
      detail: details.filter(Boolean).join(' · ') || undefined,
      ...(isMultiple && { isChecked: chosen.includes(email) }),
    };
  }

  return (
    <PickPanel
      label={label}
      anchor={props.anchor}
      width={280}
      isMultiple={isMultiple}
      onClear={props.mayClear && chosen.length > 0 ? props.onClear : undefined}
      onDone={onDone}
      onCancel={onCancel}
    >
      {error !== undefined && (
        <p className="tr-field-problem" role="status">
          {messageOfError(error, t)}
        </p>
      )}
      <SearchList
        label={t('Find a person')}
        listLabel={t('People')}
        emptyText={isLoading ? t('Loading …') : t('Nobody of this project is called that.')}
        initialSearch={props.initialSearch}
        value={chosen[0]}
        options={[...(first === undefined ? [] : [first.id]), ...others, ...left].map(line)}
        onChoose={props.onChoose}
        onTab={(event, email) => {
          event.preventDefault();
          props.onTab(email, event.shiftKey ? 'left' : 'right');
        }}
      />
    </PickPanel>
  );
}
