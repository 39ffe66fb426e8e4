export { Registries, type RegistryCatalogue } from './registries.ts';
export {
  Registry,
  type RegistryEntry,
  type RegistryItem,
  type RegistryOptions,
  type RegistryView,
} from './registry.ts';
