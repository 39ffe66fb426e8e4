import { useRegistry, useSession } from '@trellis/sdk/web';
import { Navigate } from 'react-router-dom';
import { signInPath } from '../router/route-guard.ts';
import { EmptyState } from '../shell/EmptyState.tsx';
import { Slot, useSlotItems } from '../shell/Slot.tsx';

const projectsPath = '/projects';

/** The entrance: projects for members, signing in for guests. */
export function IndexPage() {
  const { status } = useSession();
  const routes = useRegistry('routes');
  const home = useSlotItems('home');
  const wanted = status === 'signedIn' ? projectsPath : signInPath;
  if (status === 'signedIn' && home.length > 0) return <Slot name="home" />;
  if (routes.some(({ path }) => path === wanted)) return <Navigate to={wanted} replace />;
  return (
    <EmptyState
      icon="box"
      title="There is nothing here yet"
      text="The plugin that brings this page is not enabled."
    />
  );
}
