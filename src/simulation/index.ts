export { type AnswerMode, type SentReport, SimulatedDevice, type SimulatedDeviceEvents } from './device.ts';
export { Fleet, type FleetFigures, type FleetSettings, simulatedImei } from './fleet.ts';
export { Journey } from './journey.ts';
export { Percentiles } from './percentiles.ts';
export { PROBE_STEPS, type ProbeSettings, type ProbeStep, probe, type StepResult } from './probe.ts';
