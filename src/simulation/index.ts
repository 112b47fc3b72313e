export { type AnswerMode, type SentReport, SimulatedDevice, type SimulatedDeviceEvents } from './device.ts';
export { Fleet, type FleetFigures, type FleetSettings, simulatedImei } from './fleet.ts';
export { Journey } from './journey.ts';
export { Percentiles } from './percentiles.ts';
