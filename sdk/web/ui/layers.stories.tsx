import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import {
  ActionMenu,
  Cover,
  Dialog,
  Form,
  HandOverDialog,
  Popover,
  SaveProblem,
  TextField,
  type MenuAction,
} from './index.ts';

/** Layers over the page. */
const meta: Meta = { title: 'SDK/Kit/Layers' };
export default meta;

type Story = StoryObj;

const nothing = () => undefined;
const actions: readonly MenuAction[] = [
  { id: 'rename', label: 'Rename', icon: 'pencil', run: nothing },
  { id: 'copy', label: 'Duplicate', icon: 'copy', disabled: true, run: nothing },
  { id: 'delete', label: 'Delete', icon: 'trash', danger: true, startsGroup: true, run: nothing },
];

export const Menu: Story = {
  render: () => (
    <ActionMenu
      label="Actions for Orders"
      header="Orders"
      actions={actions}
      x={40}
      y={40}
      onClose={nothing}
    />
  ),
};

export const Panel: Story = {
  render: () => (
    <Popover label="Fields" width={260} onClose={nothing}>
      <p>What is in it.</p>
      <button type="button" className="tr-button">
        Add
      </button>
    </Popover>
  ),
};

function DialogStory() {
  const [name, setName] = useState('Ada');
  return (
    <Dialog title="Rename" width={420} isUnsaved={name !== 'Ada'} onClose={nothing}>
      <Form submitLabel="Save" isBusy={false} onSubmit={nothing} onCancel={nothing}>
        <TextField label="Name" value={name} onChange={setName} />
        <SaveProblem
          draft={{
            problem: 'Somebody else has renamed it meanwhile.',
            insist: nothing,
            discard: () => setName('Ada'),
          }}
        />
      </Form>
    </Dialog>
  );
}

/** Asks before input is lost; a refused draft has its ways to continue. */
export const DialogOfADraft: Story = { render: () => <DialogStory /> };

export const ShownOnce: Story = {
  render: () => (
    <HandOverDialog
      title="The new token"
      warning="Copy it now: it is not shown again."
      label="Token"
      value="tr_4f0c…"
      copied="The token is copied"
      refused="Please select the token and copy it yourself."
      onClose={nothing}
    />
  ),
};

function CoverStory() {
  const [isCovered, setCovered] = useState(false);
  return (
    <>
      <button type="button" className="tr-button" onClick={() => setCovered(true)}>
        Cover the page
      </button>
      {isCovered && (
        <Cover label="Sign in again">
          <button type="button" className="tr-button" onClick={() => setCovered(false)}>
            Take it away
          </button>
        </Cover>
      )}
    </>
  );
}

export const CoveredPage: Story = { render: () => <CoverStory /> };
