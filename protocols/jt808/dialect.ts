import type { DeviceOptions, OptionValue } from '#codec';
import { MODELS, type Model, USUAL } from './models.ts';

/** What a device's options say about its records. */
export interface Dialect {
  readonly model: Model;
  readonly zone: string;
}

export const DEFAULT_ZONE = 'GMT+8';

export const modelOf = (name: OptionValue | undefined): Model =>
  (typeof name === 'string' && Object.hasOwn(MODELS, name) && MODELS[name]) || USUAL;

export function dialectOf({ model, timezone }: DeviceOptions): Dialect {
  return {
    model: modelOf(model),
    zone: typeof timezone === 'string' && timezone !== '' ? timezone : DEFAULT_ZONE,
  };
}
