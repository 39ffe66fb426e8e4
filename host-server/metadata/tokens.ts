import { createToken } from '@trellis/core';
import type { Metadata } from './metadata.ts';

export const MetadataToken = createToken<Metadata>('host.metadata');
