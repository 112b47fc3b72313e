import type { DeviceOptions, OptionValue } from '#codec';
import { DEFAULT_ZONE } from './header.ts';
import { MODELS, USUAL } from './models.ts';
import type { Dialect, Model } from './report.ts';

export const modelOf = (name: OptionValue | undefined): Model =>
  (typeof name === 'string' && Object.hasOwn(MODELS, name) && MODELS[name]) || USUAL;

export function dialectOf({ model, timezone }: DeviceOptions): Dialect {
  return {
    model: modelOf(model),
    zone: typeof timezone === 'string' && timezone !== '' ? timezone : DEFAULT_ZONE,
  };
}
