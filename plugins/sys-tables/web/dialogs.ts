export { default as AddColumnsDialog } from './AddColumnsDialog.tsx';
export { default as ColumnPanel } from './ColumnPanel.tsx';
export { default as CreateTableDialog } from './CreateTableDialog.tsx';
export { default as SyncDialog } from './SyncDialog.tsx';
export { default as TrashDialog } from './TrashDialog.tsx';
