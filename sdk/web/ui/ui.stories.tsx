import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import {
  Choices,
  Empty,
  ErrorNotice,
  Form,
  MenuButton,
  Notice,
  PageSkeleton,
  PopoverButton,
  Progress,
  SearchList,
  Select,
  Switch,
  Tabs,
  TextField,
} from './index.ts';

/** The kit of widgets, one story for each. */
const meta: Meta = { title: 'SDK/Kit' };
export default meta;

type Story = StoryObj;

const nothing = () => undefined;
const fruits = ['Apple', 'Pear', 'Plum'].map((label) => ({ id: label, value: label, label, icon: 'star' }));

function TabsStory({ vertical }: { readonly vertical: boolean }) {
  const [items, setItems] = useState(fruits);
  const [value, choose] = useState('Pear');
  return (
    <div style={{ height: 200 }}>
      <Tabs
        label="Fruits"
        items={items}
        value={value}
        vertical={vertical}
        onChange={choose}
        onClose={vertical ? undefined : (id) => setItems(items.filter((item) => item.id !== id))}
      >
        <p style={{ padding: 16 }}>{value}</p>
      </Tabs>
    </div>
  );
}

export const TabsAbove: Story = { render: () => <TabsStory vertical={false} /> };
export const TabsBeside: Story = { render: () => <TabsStory vertical /> };

export const Notices: Story = {
  render: () => (
    <div className="tr-form">
      {(['success', 'info', 'warn', 'error'] as const).map((severity) => (
        <Notice
          key={severity}
          severity={severity}
          actions={[{ label: 'Try again', run: nothing }]}
          onClose={nothing}
        >
          Something that a person should know.
        </Notice>
      ))}
    </div>
  ),
};

export const FormWithItsProblem: Story = {
  render: () => (
    <Form
      submitLabel="Save"
      isBusy={false}
      problem="The server refused."
      onSubmit={nothing}
      onCancel={nothing}
    >
      <TextField label="Name" value="Ada" hint="As it stands on the door." onChange={nothing} />
      <TextField
        label="Password"
        type="password"
        value="secret"
        problem="It is too short."
        onChange={nothing}
      />
    </Form>
  ),
};

export const Choosing: Story = {
  render: () => (
    <div className="tr-form">
      <Switch checked onChange={nothing}>
        Apply while editing
      </Switch>
      <Select label="Fruit" value="Pear" options={fruits} onChange={nothing} />
      <Choices label="Fruit" value="Pear" options={fruits} onChange={nothing} />
      <SearchList
        label="Search"
        listLabel="Fruits"
        emptyText="Nothing."
        options={fruits}
        onChoose={nothing}
      />
    </div>
  ),
};

export const Opening: Story = {
  render: () => (
    <>
      <MenuButton label="More" actions={fruits.map((fruit) => ({ ...fruit, run: nothing }))} />
      <PopoverButton icon="filter" label="Filter" count={2}>
        {() => <p>What is in it.</p>}
      </PopoverButton>
    </>
  ),
};

export const WaitingAndNothing: Story = {
  render: () => (
    <>
      <Progress label="Import" value={40} />
      <PageSkeleton />
      <Empty icon="table" title="Nothing is open" text="Choose a table." />
      <ErrorNotice title="This table cannot be opened" message="The server is away." onRetry={nothing} />
    </>
  ),
};
