import { GPS } from './blocks.ts';
import { ANSWER, LONG_ANSWER } from './messages/answers.ts';
import { DEVICES } from './messages/device.ts';
import { HEARTBEATS } from './messages/heartbeat.ts';
import { ALARMS, LOCATIONS, OTHER_LOCATIONS } from './messages/location.ts';
import { MEDIA, PHOTO_DATA, PHOTO_INFO } from './messages/media.ts';
import { MODULAR } from './messages/modules.ts';
import { CELLS, NETWORKS } from './messages/network.ts';
import { ADDRESS_QUESTION, TIME } from './messages/questions.ts';
import type { GeneralRow, MessageRow } from './rows.ts';

/** Type, form and variant → fields and reply; the first row that fits. */
export const MESSAGES: readonly MessageRow[] = [
  { types: [0x2a], fields: [ADDRESS_QUESTION, GPS], reply: 'own' },
  { types: [0x8a], fields: TIME, silent: true, reply: 'own' },
  { types: [0x15], fields: ANSWER, reply: 'standard' },
  { types: [0x21], fields: LONG_ANSWER, reply: 'none' },
  { types: [0x35], fields: PHOTO_INFO, silent: true, reply: 'own' },
  { types: [0x36], form: 'long', fields: PHOTO_DATA, silent: true, reply: 'none' },
  { types: [0x41], fields: MEDIA, silent: true, reply: 'long' },
  ...OTHER_LOCATIONS,
  ...NETWORKS,
  ...DEVICES,
  ...MODULAR,
];

/** Behind the rows above, in the same way. */
export const GENERAL: readonly GeneralRow[] = [...HEARTBEATS, ...CELLS, ...LOCATIONS, ...ALARMS];
