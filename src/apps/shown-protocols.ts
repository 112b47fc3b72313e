import type { Protocol } from '#codec';
import type { Catalogue } from '../codec/catalogue/index.ts';
import type { ShownProtocol } from '../server/index.ts';
import type { Config } from './config.ts';

type Settings = Pick<Config, 'AUTO_PORT' | 'DEVICE_HOST' | 'PROTOCOLS' | 'servicePorts'>;

/** Protocols with the port that devices connect to by these settings. */
export function shownProtocols(catalogue: Catalogue, settings: Settings): ShownProtocol[] {
  const portOf = ({ service, port, identify }: Protocol): number | null => {
    const named = settings.servicePorts[service];
    if (named !== undefined) return named;
    if (settings.PROTOCOLS.includes('all') || settings.PROTOCOLS.includes(service)) return port;
    return identify === undefined || settings.AUTO_PORT === 0 ? null : settings.AUTO_PORT;
  };
  return catalogue.protocols.map((protocol) => ({
    id: protocol.id,
    title: protocol.title,
    vendor: protocol.vendor,
    models: [...protocol.models],
    transports: protocol.carrier === 'http' ? ['http'] : [...protocol.transports],
    service: protocol.service,
    host: settings.DEVICE_HOST ?? null,
    port: portOf(protocol),
    setup: [...protocol.setup],
    options: Object.entries(protocol.options).map(([name, option]) => ({
      name,
      type: option.type,
      title: option.title,
      default: option.default ?? null,
    })),
  }));
}
