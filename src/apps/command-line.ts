import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Files that Docker and Podman put into a container. */
const CONTAINER_MARKS = ['/.dockerenv', '/run/.containerenv'];

/** How commands are run on this machine: in a checkout, in a container, or with an installed package. */
export function commandLine(folder: string = import.meta.dirname): string {
  if (isCheckout(folder)) return 'npm run --silent';
  return CONTAINER_MARKS.some((path) => existsSync(path)) ? `docker exec ${hostname()} fleetgate` : 'fleetgate';
}

/** The package itself has the build alone. */
function isCheckout(folder: string): boolean {
  const above = join(folder, '..');
  if (above === folder) return false;
  return existsSync(join(folder, 'package.json')) ? existsSync(join(folder, 'tsconfig.build.json')) : isCheckout(above);
}
