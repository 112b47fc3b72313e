import type { Attributes, DeviceOptions, NamedValue } from '#codec';
import type { Catalogue } from '../codec/catalogue/index.ts';

export type Names = Readonly<Record<string, NamedValue>>;

/** Vendor names of the elements of a record; undefined if the protocol has none. */
export type NameElements = (protocol: string, attributes: Attributes, options: DeviceOptions) => Names | undefined;

/** Names are derived from the attributes on request. */
export function createNames(catalogue: Catalogue): NameElements {
  return (protocol, attributes, options) => {
    const names = catalogue.byId(protocol)?.named?.(attributes, options);
    return names === undefined || Object.keys(names).length === 0 ? undefined : names;
  };
}
