// A device that encodes with another project's code: connects to the port of the second argument, reports what the
// test gives on stdin, and prints the answers of the server as hex. Run with NODE_PATH of that project.
const { connect } = require('node:net');

const encoders = {
  gps103({ imei, positions }) {
    const coder = new (require('gps103'))();
    const of = (number, data) => coder.encode({ event: { number }, imei, ...data });
    return [
      { bytes: of(0x01, {}), answer: 4 },
      ...positions.map(({ latitude, longitude, time, speed, course }) => ({
        bytes: of(0x12, {
          info: 'tracker',
          gpsTime: time,
          // seconds; its reader gives them back as fixTimestamp
          fixTime: Date.parse(time) / 1000,
          hasFix: true,
          lat: latitude,
          lon: longitude,
          speed: speed / 1.852,
          course,
        }),
        answer: 0,
      })),
      { bytes: of(0x02, {}), answer: 2 },
    ];
  },
};

const [project, port] = process.argv.slice(2);
let input = '';
process.stdin.on('data', (chunk) => {
  input += chunk;
});
async function report() {
  const socket = connect(Number(port), '127.0.0.1');
  let received = Buffer.alloc(0);
  let wake = () => {};
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  const answers = [];
  for (const { bytes, answer } of encoders[project](JSON.parse(input))) {
    socket.write(bytes);
    while (received.length < answer) await new Promise((resolve) => (wake = resolve));
    answers.push(received.subarray(0, answer).toString('hex'));
    received = received.subarray(answer);
  }
  socket.end();
  process.stdout.write(JSON.stringify(answers));
}
process.stdin.on('end', () => void report());
