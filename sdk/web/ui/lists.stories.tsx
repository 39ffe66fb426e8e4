import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import {
  BrandMark,
  Grip,
  Icon,
  LogPages,
  MailSetUpLink,
  moved,
  PageHead,
  PersonMark,
  QrCode,
  ScrollStrip,
  Skeleton,
  TreeItem,
  useSortable,
  WorkButton,
} from './index.ts';

/** Parts of pages and lists, and small marks. */
const meta: Meta = {
  title: 'SDK/Kit/Lists and marks',
  parameters: { host: { user: { roles: { super: true } } } },
};
export default meta;

type Story = StoryObj;

const nothing = () => undefined;

export const Head: Story = {
  render: () => (
    <PageHead title="Automations" about="What happens by itself in this project." onBack={nothing}>
      <button type="button" className="tr-button tr-button--primary">
        New automation
      </button>
    </PageHead>
  ),
};

function TreeStory() {
  const [isOpen, setOpen] = useState(true);
  const [title, setTitle] = useState('Orders');
  const [isRenamed, setRenamed] = useState(false);
  return (
    <ul style={{ width: 240 }}>
      <TreeItem
        icon="table"
        title={title}
        isActive
        onOpen={nothing}
        menu={{
          label: `Menu of ${title}`,
          buttonLabel: `Actions for ${title}`,
          actions: [{ id: 'rename', label: 'Rename', icon: 'pencil', run: () => setRenamed(true) }],
        }}
        rename={{
          label: `Name of ${title}`,
          isRunning: isRenamed,
          onStart: () => setRenamed(true),
          onName: async (name) => {
            setTitle(name);
            return true;
          },
          onEnd: () => setRenamed(false),
        }}
        branch={{
          label: `Contents of ${title}`,
          isOpen,
          onToggle: () => setOpen(!isOpen),
          children: (
            <ul>
              <TreeItem
                icon="🦒"
                title="By keeper"
                isActive={false}
                onOpen={nothing}
                menu={{ label: 'Menu', buttonLabel: 'Actions', actions: [] }}
              />
            </ul>
          ),
        }}
      />
    </ul>
  );
}

/** Opened, renamed in place with F2, with children. */
export const Tree: Story = { render: () => <TreeStory /> };

function OrderStory() {
  const [names, setNames] = useState<readonly string[]>(['Ada', 'Grace', 'Ken']);
  const sortable = useSortable(names.length, (from, to) => setNames(moved(names, from, to)));
  return (
    <ul className="tr-parts">
      {names.map((name, at) => (
        <li key={name} {...sortable.row(at)}>
          <Grip label={`Move ${name}: arrow up or down`} handle={sortable.handle(at)} />
          <PersonMark name={name} isInvited={name === 'Ken'} /> {name}
        </li>
      ))}
    </ul>
  );
}

export const Order: Story = { render: () => <OrderStory /> };

function LogStory() {
  const [offset, setOffset] = useState(25);
  return <LogPages offset={offset} shown={25} total={90} atOnce={25} onTurn={setOffset} />;
}

export const Log: Story = { render: () => <LogStory /> };

export const Strip: Story = {
  render: () => (
    <div style={{ maxWidth: 260 }}>
      <ScrollStrip style={{ display: 'flex', gap: 8 }}>
        {['Fields', 'Filter', 'Sort', 'Group', 'Colours', 'Share'].map((name) => (
          <button key={name} type="button" className="tr-button">
            {name}
          </button>
        ))}
      </ScrollStrip>
    </div>
  ),
};

function WorkStory() {
  const [isBusy, setBusy] = useState(false);
  return (
    <WorkButton
      isBusy={isBusy}
      isOwn
      onClick={() => {
        setBusy(true);
        setTimeout(() => setBusy(false), 1500);
      }}
    >
      Send it
    </WorkButton>
  );
}

/** Keeps the focus while its work is running. */
export const Work: Story = { render: () => <WorkStory /> };

export const Marks: Story = {
  render: () => (
    <>
      <BrandMark withName size={32} />
      <Icon name="table" /> <Icon name="🌱" />
      <Skeleton count={3} />
      <QrCode text="https://trellis.example.com" />
      <p>
        <MailSetUpLink />
      </p>
    </>
  ),
};
