export type Program = 'redis-server' | 'chromium' | 'schemathesis' | 'container-engine';
export const NAMES: Readonly<Record<Program, readonly string[]>>;
export function findProgram(program: Program): string | undefined;
