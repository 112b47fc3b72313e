import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'suntech',
    title: 'Suntech',
    vendor: 'Suntech',
    models: [
      'ST200',
      'ST215',
      'ST240',
      'ST300',
      'ST310',
      'ST340',
      'ST390',
      'ST410',
      'ST500',
      'ST600',
      'ST910',
      'ST4300',
      'ST8300',
    ],
    port: 5011,
    transports: ['tcp', 'udp'],
    options: {
      protocolType: { type: 'number', title: 'ST9xx: 1 where messages name the cell, 0 otherwise', default: 0 },
      hbm: {
        type: 'number',
        title: 'What follows the inputs: 0 what the fields themselves say, 1 hours and battery, 2 the cell as well',
        default: 0,
      },
      includeAdc: { type: 'boolean', title: 'Messages have three analogue inputs', default: false },
      includeRpm: { type: 'boolean', title: 'Messages have the engine speed', default: false },
      includeTemp: { type: 'boolean', title: 'Messages have three temperatures', default: false },
    },
    initialState: () => ({ universal: false, prefix: 'SA200' }),
    setup: [
      'Configuration tool: network parameters NTW, server {host}, port {port}, TCP',
      'By SMS: ST300NTW;<id>;02;0;<apn>;<user>;<password>;{host};{port};;;;',
    ],
    notCovered: ['Crash reports (CRR): their binary pieces are not put together', 'Bluetooth scans (BSA)'],
  },
  { framing, decoding, commanding, simulator },
);
