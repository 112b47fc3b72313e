import type { ElementName } from '#codec/elements';

/** Elements of FMC650, where its scales are others. */
export const fmc650: readonly ElementName[] = [
  [10889, 'High Voltage Battery Highest Cell Temperature', 'i16', 0.03125, '°C'],
  [10890, 'High Voltage Battery Lowest Cell Temperature', 'i16', 0.03125, '°C'],
  [10891, 'Propulsion Motor Coolant Fan 1 Control Temperature', 'i16', 0.03125, '°C'],
  [10904, 'HVESS State of Health', 'u8', 0.4, '%'],
  [11714, 'COM1 DSM state', 'u8'],
];
