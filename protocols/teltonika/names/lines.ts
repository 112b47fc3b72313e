import type { ElementName } from '../io/names.ts';
import { allcan } from './allcan.ts';
import { assets } from './assets.ts';
import { bluetooth } from './bluetooth.ts';
import { can } from './can.ts';
import { device } from './device.ts';
import { events } from './events.ts';
import { fmc650 } from './fmc650.ts';
import { fms } from './fms.ts';
import { isobus } from './isobus.ts';
import { lvcan } from './lvcan.ts';
import { obd } from './obd.ts';
import { periphery } from './periphery.ts';
import { professional } from './professional.ts';
import { tachograph } from './tachograph.ts';
import { tft100 } from './tft100.ts';
import { tst100 } from './tst100.ts';

/**
 * What the vendor calls each element, by product (wiki.teltonika-gps.com, "Teltonika Data Sending Parameters ID").
 * Most ids mean the same everywhere; the lines below have other meanings for some ids.
 */
export const common = [device, events, can, allcan, lvcan, fms, obd, isobus, bluetooth, tachograph, periphery];

export const lines: readonly { readonly models: RegExp; readonly elements: readonly ElementName[] }[] = [
  { models: /^FM(?:.6[345]|63)/, elements: professional },
  { models: /^FMC650/, elements: fmc650 },
  { models: /^(?:GH5200|T[AMFS]T)/, elements: assets },
  { models: /^TFT100/, elements: tft100 },
  { models: /^TST100/, elements: tst100 },
];
