export { default as ProjectMenu } from './ProjectMenu.tsx';
export { default as ProjectObjects } from './ProjectObjects.tsx';
