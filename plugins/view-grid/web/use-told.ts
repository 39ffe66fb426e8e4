import { useHost } from '@trellis/sdk/web';

/** Runs something without waiting for it, and shows its error. */
export function useTold(): (action: Promise<unknown>) => void {
  const { toast } = useHost();
  return (action) => {
    action.catch((error: unknown) =>
      toast({ severity: 'error', summary: error instanceof Error ? error.message : String(error) }),
    );
  };
}
