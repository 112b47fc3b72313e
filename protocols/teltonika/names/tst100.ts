import type { ElementName } from '../io/names.ts';

/** Elements of TST100, where its numbers mean other things. */
export const tst100: readonly ElementName[] = [
  [339, 'Serial number', 'text'],
  [340, 'Master control FW version', 'u16'],
  [341, 'Error', 'u8'],
  [342, 'Alarm code', 'u8'],
  [349, 'Current operation mode', 'u8'],
  [350, 'Internal battery voltage', 'u16', 1, 'mV'],
  [351, 'External battery voltage', 'u16', 1, 'mV'],
  [352, 'Battery percentage', 'u8', 1, '%'],
  [353, 'Actual remaining mileage', 'u32', 1, 'm'],
  [354, 'Predicted remaining mileage', 'u32', 1, 'm'],
  [355, 'Speed', 'u8', 1, 'km/h'],
  [356, 'Total mileage', 'u32', 1, 'm'],
  [357, 'Single mileage', 'u32', 1, 'm'],
  [358, 'Total operation time', 'u32'],
  [359, 'Total riding time', 'u32'],
  [360, 'Single operation time', 'u16'],
  [361, 'Single riding time', 'u16'],
];
