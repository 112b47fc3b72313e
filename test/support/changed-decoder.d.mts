import type { Catalogue } from '../../src/codec/catalogue/index.ts';
export function changedDecoder(catalogue: Catalogue, attribute: string): Catalogue;
