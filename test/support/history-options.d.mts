import type { HistorySettings } from '../../src/server/history/index.ts';

export const HISTORY_OPTIONS: Omit<HistorySettings, 'url' | 'workDir' | 's3'>;
