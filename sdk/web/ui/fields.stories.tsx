import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import type { RequestPair, SettingsSchema, TimePlan } from '../../shared/index.ts';
import {
  ChoiceLines,
  ColorChoices,
  ColorField,
  CopyField,
  Field,
  FileDrop,
  FramingSites,
  OptionsForm,
  PairFields,
  PickButton,
  PickField,
  PickPanel,
  SearchField,
  SearchList,
  TemplateField,
  TemplateInput,
  TimeFields,
  type TemplateNaming,
} from './index.ts';

/** Inputs besides the fields of forms. */
const meta: Meta = { title: 'SDK/Kit/Fields' };
export default meta;

type Story = StoryObj;

const nothing = () => undefined;
const towns = ['Oslo', 'Bergen', 'Tromsø'];

function ColorsStory() {
  const [color, setColor] = useState<string>();
  return (
    <div className="tr-form">
      <ColorField label="Colour of Done" value={color} onChange={setColor} />
      <ColorChoices label="Colour of the page" value={color} onChange={setColor} />
    </div>
  );
}

export const Colors: Story = { render: () => <ColorsStory /> };

export const Copying: Story = {
  render: () => (
    <CopyField
      label="Link"
      value="https://trellis.example.com/#/nc/view/5f1c"
      hint="Whoever has it sees the view."
      copied="The link is copied"
      refused="Please select the link and copy it yourself."
    />
  ),
};

function SitesStory() {
  const [sites, setSites] = useState<readonly string[]>(['https://shop.example.com']);
  return <FramingSites sites={sites} code="<iframe …></iframe>" onChange={setSites} />;
}

export const SitesThatMayFrame: Story = { render: () => <SitesStory /> };

export const Files: Story = {
  render: () => (
    <FileDrop
      label="File to import"
      hint="or drop a CSV or an Excel file here"
      onChoose={nothing}
      folder={{ label: 'Folder to import', onChoose: nothing }}
    />
  ),
};

function LinesStory() {
  const [town, setTown] = useState<string>();
  return (
    <ChoiceLines
      label="Town"
      value={town}
      options={towns.map((value, at) => ({
        value,
        label: value,
        note: at === 0 ? 'The capital' : undefined,
      }))}
      onChange={setTown}
    />
  );
}

export const Lines: Story = { render: () => <LinesStory /> };

function PickStory() {
  const [town, setTown] = useState<string>('Oslo');
  return (
    <div style={{ maxWidth: 260 }}>
      <PickField
        title="Town"
        chosen={town === '' ? [] : [town]}
        isOpenAtFirst={false}
        shown={<span>{town || 'Choose'}</span>}
        onClear={() => setTown('')}
      >
        {(anchor, closing) => (
          <PickPanel
            label="Town"
            anchor={anchor}
            width={260}
            isMultiple={false}
            onClear={closing(() => setTown(''))}
            onDone={closing(nothing)}
            onCancel={closing(nothing)}
          >
            <SearchList
              label="Search towns"
              listLabel="Towns"
              emptyText="There is no such town"
              value={town}
              options={towns.map((label) => ({ id: label, label }))}
              onChoose={closing(setTown)}
            />
          </PickPanel>
        )}
      </PickField>
      <PickButton label="Of another kind: nothing" isOpen={false} onOpen={nothing}>
        <span>Nothing yet</span>
      </PickButton>
    </div>
  );
}

export const Picking: Story = { render: () => <PickStory /> };

function SearchStory() {
  const [text, setText] = useState('os');
  return (
    <Field label="With a name of its own">
      <SearchField label="Search towns" value={text} onChange={setText} />
    </Field>
  );
}

export const Searching: Story = { render: () => <SearchStory /> };

const naming: TemplateNaming = {
  shape: { names: { row: { names: { Title: 'value' } } } },
  offered: [{ placeholder: '{{row.Title}}', label: 'Title', group: 'The row' }],
};

function TemplatesStory() {
  const [body, setBody] = useState('Hello {{row.Tite}}');
  const [subject, setSubject] = useState('News of {{row.Title}}');
  const [headers, setHeaders] = useState<readonly RequestPair[]>([
    { name: 'x-key', value: '{{row.Title}}', enabled: true },
  ]);
  return (
    <div className="tr-form">
      <TemplateField label="Subject" value={subject} naming={naming} onChange={setSubject} />
      <TemplateInput label="Body" rows={3} value={body} naming={naming} onChange={setBody} />
      <PairFields legend="Headers" add="Add a header" value={headers} naming={naming} onChange={setHeaders} />
    </div>
  );
}

/** A valid one, one with an unknown placeholder, and several in a list. */
export const Templates: Story = { render: () => <TemplatesStory /> };

function TimesStory() {
  const [plan, setPlan] = useState<TimePlan>({ cron: '30 8 * * 1-5', time_zone: 'Europe/Oslo' });
  return <TimeFields label="When" value={plan} onChange={setPlan} />;
}

export const Times: Story = { render: () => <TimesStory /> };

const schema: SettingsSchema = {
  type: 'object',
  properties: { height: { type: 'integer', title: 'Height of a line', default: 40, minimum: 24 } },
};

export const Options: Story = {
  render: () => (
    <>
      <OptionsForm schema={schema} value={{ height: 40 }} onSave={async () => undefined} onClose={nothing} />
      <OptionsForm
        schema={schema}
        value={{ height: 40 }}
        reason="The view is locked."
        onSave={async () => undefined}
        onClose={nothing}
      />
    </>
  ),
};
