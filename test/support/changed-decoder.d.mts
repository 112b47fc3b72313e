import type { Catalogue } from '../../src/catalogue/index.ts';
export function changedDecoder(catalogue: Catalogue, attribute: string): Catalogue;
