import type { Figure } from './figure.ts';

/** `node main.js <name>`: runs one benchmark and prints its figures. */
const name = process.argv[2];
const { run } = (await import(`./${name}.js`)) as { run(): Promise<readonly Figure[]> };
for (const { name, value } of await run()) process.stdout.write(`${name.padEnd(64)} ${value}\n`);
process.exit();
