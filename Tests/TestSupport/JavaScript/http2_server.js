// Answers requests over HTTP/2 with their paths, and goes away gracefully after a number of streams of a connection.
//
//     node http2_server.js KEY CERTIFICATE STREAMS_PER_CONNECTION
//
// It prints its port. When standard input ends, it prints each request that it has processed, and ends. `?head=N` asks
// for N bytes of fields.
'use strict';

const fs = require('fs');
const http2 = require('http2');

const [key, cert, limit] = process.argv.slice(2);
const processed = [];
let connections = 0;

const server = http2.createSecureServer({ key: fs.readFileSync(key), cert: fs.readFileSync(cert) });

server.on('session', (session) => {
  session.number = ++connections;
  session.streams = 0;
  session.on('error', () => {});
});

server.on('stream', (stream, headers) => {
  const session = stream.session;
  if (++session.streams === Number(limit)) session.close();
  const url = new URL(headers[':path'], 'https://localhost');
  const fields = { ':status': 200 };
  const size = Number(url.searchParams.get('head') || 0);
  for (let written = 0; written < size; written += 1000) {
    fields[`x-${written}`] = 'x'.repeat(Math.min(1000, size - written));
  }
  stream.on('error', () => {});
  stream.resume();
  stream.on('end', () => {
    processed.push(`${session.number} ${session.streams} ${headers[':method']} ${headers[':path']} 200 HTTP/2.0`);
    stream.respond(fields);
    stream.end(headers[':path']);
  });
});

server.listen(0, '127.0.0.1', 4096, () => console.log(server.address().port));

process.stdin.resume();
process.stdin.on('end', () => {
  process.stdout.write(processed.concat('end', '').join('\n'), () => process.exit(0));
});
