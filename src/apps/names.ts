import type { Attributes, DeviceOptions, NamedValue } from '#codec';
import type { Catalogue } from '../catalogue/index.ts';

export type Names = Readonly<Record<string, NamedValue>>;

/** What the vendor calls the elements of a record; undefined where its protocol names none. */
export type NameElements = (protocol: string, attributes: Attributes, options: DeviceOptions) => Names | undefined;

/** Names are made when somebody asks for them, of the attributes alone. */
export function createNames(catalogue: Catalogue): NameElements {
  return (protocol, attributes, options) => {
    const names = catalogue.byId(protocol)?.named?.(attributes, options);
    return names === undefined || Object.keys(names).length === 0 ? undefined : names;
  };
}
