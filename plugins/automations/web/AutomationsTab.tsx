import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { useOpenRequest, type OpenRequests } from '@trellis/sdk/web';
import { useState } from 'react';
import type { AutomationEntity } from '../shared/index.ts';
import { AutomationEditor } from './AutomationEditor.tsx';
import { AutomationList } from './AutomationList.tsx';
import { RunLog } from './RunLog.tsx';
import { useRunInAddress } from './run-in-address.ts';
import { VersionList } from './VersionList.tsx';

/** The tab's content. */
type Screen =
  | { readonly kind: 'list' }
  | { readonly kind: 'editor'; readonly automation: AutomationEntity | undefined }
  | { readonly kind: 'versions'; readonly automation: AutomationEntity }
  | {
      readonly kind: 'log';
      readonly automation: AutomationEntity;
      /** The run that is opened first. */
      readonly runId?: string | undefined;
    };

interface AutomationsTabProps {
  readonly project: ProjectEntity;
  /** The table from which the person came last. */
  readonly cameFrom: OpenRequests<TableEntity>;
}

/** A project's automations: the list, one automation, its runs, or its versions. */
export default function AutomationsTab({ project, cameFrom }: AutomationsTabProps) {
  const table = useOpenRequest(cameFrom);
  const [screen, setScreen] = useState<Screen>({ kind: 'list' });
  const toList = () => setScreen({ kind: 'list' });
  useRunInAddress(project, screen.kind === 'editor', (named) => setScreen({ kind: 'log', ...named }));
  switch (screen.kind) {
    case 'editor':
      return (
        <AutomationEditor
          project={project}
          automation={screen.automation}
          tableId={table?.project_id === project.id ? table.id : undefined}
          onDone={toList}
        />
      );
    case 'log':
      return (
        <RunLog
          key={`${screen.automation.id} ${screen.runId ?? ''}`}
          project={project}
          automation={screen.automation}
          openRun={screen.runId}
          onBack={toList}
        />
      );
    case 'versions':
      return <VersionList project={project} automation={screen.automation} onBack={toList} />;
    default:
      return (
        <AutomationList
          project={project}
          onEdit={(automation) => setScreen({ kind: 'editor', automation })}
          onOpen={(kind, automation) => setScreen({ kind, automation })}
        />
      );
  }
}
