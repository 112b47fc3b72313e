import Fastify from 'fastify';

/** The reference: one route that returns a constant, and nothing more. It says its port to its parent. */
const app = Fastify();
const constant = { id: 'x', latitude: 45.1, longitude: 9.2, speed: 53, valid: true };
app.get('/*', async () => constant);
await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.((app.server.address() as { port: number }).port);
process.on('disconnect', () => process.exit());
