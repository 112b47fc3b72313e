/** ms; protocols and the kit import no folder that has them for the server */
export const DAY_MS = 86_400_000;
