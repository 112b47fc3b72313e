export { createReported, type ReportReader } from './follower.ts';
