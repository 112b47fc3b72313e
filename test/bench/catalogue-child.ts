/** A process that loads nothing, the kit, or every protocol, and says how long it took since its start and what it holds. */
const kind = process.argv[2];
let held: unknown;
let protocols = 0;
if (kind === 'kit') held = [await import('#codec'), await import('#codec/text'), await import('#codec/http')];
if (kind === 'catalogue') {
  const { loadCatalogue } = await import('../../src/codec/catalogue/index.ts');
  const catalogue = await loadCatalogue();
  held = catalogue;
  protocols = catalogue.protocols.length;
}
const ms = performance.now();
globalThis.gc?.();
const { heapUsed: heap, rss } = process.memoryUsage();
process.send!({ ms, heap, rss, protocols, isHeld: held !== undefined });
// the parent ends it
setInterval(() => {}, 60_000);
