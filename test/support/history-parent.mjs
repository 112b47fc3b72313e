// Runs the history process with this environment and does nothing else, until it is killed.
import { pino } from 'pino';
import { createHistoryProcess } from '../../dist/src/apps/history-process.js';

await createHistoryProcess(pino({ level: 'silent' })).run();
