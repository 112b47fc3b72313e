import type { Protocol, StreamProtocol } from '#codec';
import { httpAsStream } from '#codec/http';

/** A port to open, with its protocols. */
export interface PortPlan {
  readonly name: string;
  readonly port: number;
  readonly protocols: readonly StreamProtocol[];
  /** it has a setting of its own: the start fails if it is in use; otherwise that is a warning */
  readonly isRequired: boolean;
}

export interface PortSettings {
  readonly autoPort: number;
  /** services that also listen on their default ports; `all` */
  readonly services: readonly string[];
  /** service → port, by the settings PORT_<SERVICE> */
  readonly servicePorts: Readonly<Record<string, number>>;
}

export interface ServiceFacts {
  readonly name: string;
  readonly port: number;
  readonly protocols: readonly Protocol[];
}

/** The ports to open. Throws RangeError with the names of all unknown services. */
export function planPorts(settings: PortSettings, services: readonly ServiceFacts[]): PortPlan[] {
  const byName = new Map(services.map((s) => [s.name, s]));
  const unknown = [...settings.services.filter((s) => s !== 'all'), ...Object.keys(settings.servicePorts)].filter(
    (name) => !byName.has(name),
  );
  if (unknown.length > 0) {
    throw new RangeError(`no such service: ${unknown.join(', ')} (there are ${[...byName.keys()].join(', ')})`);
  }
  const plans: PortPlan[] = [];
  if (settings.autoPort !== 0) {
    plans.push({
      name: 'auto',
      port: settings.autoPort,
      protocols: services.flatMap((s) => s.protocols.map(httpAsStream)),
      isRequired: true,
    });
  }
  for (const service of services) {
    const named = settings.servicePorts[service.name];
    const usesDefaultPort = settings.services.includes('all') || settings.services.includes(service.name);
    if (named === undefined && !usesDefaultPort) continue;
    plans.push({
      name: service.name,
      port: named ?? service.port,
      protocols: service.protocols.map(httpAsStream),
      isRequired: named !== undefined,
    });
  }
  return plans.filter((plan) => plan.protocols.length > 0);
}
