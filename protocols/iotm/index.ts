import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'iotm',
    title: 'FM IOTM (MQTT)',
    vendor: 'BCE, Xirgo Global',
    models: ['FM IOTM units of BCE and Xirgo Global'],
    port: 5218,
    correlation: 'ticket',
    // a packet begins with its type and its length
    resync: 'none',
    expectsReply: [
      { title: 'connection', frame: /^10/, reply: /^20020000$/ },
      { title: 'subscription', frame: /^82/, reply: /^90/ },
      { title: 'ping', frame: /^c0/, reply: /^d000$/ },
      { title: 'data that are to be acknowledged', frame: /^3[2a]/, reply: /^4002/ },
      { title: 'data that are to be sent once', frame: /^3[4c]/, reply: /^5002/ },
      { title: 'release of data', frame: /^62/, reply: /^7002/ },
    ],
    carriesNothing: [
      { title: 'subscription: the server sends commands with or without one', frame: /^82/ },
      { title: 'release of data that are stored already', frame: /^62/ },
      { title: 'connection: it names the device', frame: /^10/ },
    ],
    setup: ['MQTT 3.1.1 broker {host}, port {port}; the device id here is the client identifier'],
    notCovered: [
      'Checksum of the data: TCP has its own',
      'The vendor’s list of sensors was not available: names are those of another server',
      'Temperatures and engine hours whose unit is not known keep their numbers (io20484 to io20487, io16386)',
      'MQTT 5',
    ],
  },
  { framing, decoding, commanding, simulator },
);
