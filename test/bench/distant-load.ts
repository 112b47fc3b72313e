import { type LoadSettings, runLoad } from './teltonika-load.ts';

/** Devices in the network namespace of their gateway: `node distant-load.js '<settings>'`. */
const { acknowledged, seconds } = await runLoad(JSON.parse(process.argv[2]!) as LoadSettings);
process.stdout.write(JSON.stringify({ acknowledged, seconds }));
