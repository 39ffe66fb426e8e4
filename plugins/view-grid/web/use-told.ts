import { useHost } from '@trellis/sdk/web';

/** Goes on without waiting for something, and tells what went wrong with it. */
export function useTold(): (action: Promise<unknown>) => void {
  const { toast } = useHost();
  return (action) => {
    action.catch((error: unknown) =>
      toast({ severity: 'error', summary: error instanceof Error ? error.message : String(error) }),
    );
  };
}
