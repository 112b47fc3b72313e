export { type AnswerMode, type SentReport, SimulatedDevice } from './device.ts';
export { Fleet, type FleetFigures, type FleetSettings, simulatedImei } from './fleet.ts';
export { Journey } from './journey.ts';
export { Percentiles } from './percentiles.ts';
