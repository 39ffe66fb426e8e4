export { addressesOf, me, nobody } from './addresses.ts';
export { createdBy, lastModifiedBy } from './authors.ts';
export { collaborator, type PeopleOptions } from './collaborator.ts';
export { hueOf, initialsOf, nameOf, type People, type Person } from './people.ts';
