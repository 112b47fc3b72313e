import type { StreamProtocol } from '#codec';
import { commands, dangerous } from './commands.ts';
import { acknowledgeUndecoded, decode } from './decode.ts';
import { frame, identify, MAX_FRAME_BYTES, type WatchState } from './frame.ts';
import { simulator } from './simulator.ts';

const watch: StreamProtocol<WatchState> = {
  carrier: 'bytes',
  id: 'watch',
  title: 'Watches for children and the elderly (SeTracker, Wonlex)',
  vendor: 'Wonlex and others',
  models: ['Q50', 'Q90', 'GW100', 'GW300', 'GW400', 'KT01', 'EW100', 'D99', 'A36'],
  service: 'watch',
  port: 5093,
  transports: ['tcp'],
  maxFrameBytes: MAX_FRAME_BYTES,
  resync: 'marker',
  integrity: 'none',
  correlation: 'in-order',
  options: {},
  initialState: () => ({ maker: 'CS', indexed: false }),
  identify,
  frame,
  decode,
  acknowledgeUndecoded,
  commands,
  dangerous,
  simulator,
  setup: ['SMS pw,123456,ip,{host},{port}#', 'SMS pw,123456,upload,60#'],
  notCovered: ['Calls and video calls; health messages other than temperature, pulse, pressure and oxygen'],
};

export default watch;
