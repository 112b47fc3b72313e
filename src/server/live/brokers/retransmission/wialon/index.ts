import type { OpenSender } from '../../message.ts';
import { credentialsOf } from '../../tls.ts';
import { openLink } from '../link.ts';
import { senderOf } from '../sender.ts';
import { createSessions } from '../sessions.ts';
import { CONNECTIONS, IN_FLIGHT } from '../settings.ts';
import { openIpsSession } from './ips-session.ts';
import { openRetranslator } from './retranslator.ts';

/** Wialon IPS 2.0 with a connection for each device, or Wialon Retranslator 1.0 with one for all. */
export const openWialon: OpenSender = async (target, context) => {
  const { options } = target;
  const inFlight = Number(options['inFlight'] ?? IN_FLIGHT);
  if (options['protocol'] === 'retranslator') return senderOf(await openRetranslator(target, context, inFlight));
  const { password } = credentialsOf(new URL(target.url), options);
  const settings = { target, context, password, inFlight };
  const most = Number(options['connections'] ?? CONNECTIONS);
  const { send, close } = createSessions((device) => openIpsSession(device, settings), most);
  const reach = async (): Promise<void> => (await openLink(target, context, () => undefined)).close();
  return senderOf({ send, reach, close });
};
