import { createContext } from 'react';

/** The plugin whose contribution is being drawn; cached answers are kept under its id. */
export const OwnerContext = createContext('host');
