// Answers requests with their paths, over HTTP/1.1 and, over TLS, over HTTP/2, and logs each that has ended.
//
//     node node_server.js SETTINGS
//
// Settings are JSON: the ports `plain` and `tls`, the files `key`, `certificate` and `log`; after how many `requests` it
// goes away from a connection gracefully, after how many milliseconds of being `idle`, how many `streams` may be open at
// once, and how many kilobytes the `head` of a response has. With SIGHUP it goes away from all connections.
'use strict';

const fs = require('fs');
const http = require('http');
const http2 = require('http2');

const settings = JSON.parse(process.argv[2]);
const log = fs.openSync(settings.log, 'a');
const sessions = new Set();
let connections = 0;

const fields = {};
for (let index = 0; index < settings.head; index += 1) fields[`x-${index}`] = 'x'.repeat(1000);

// Reads a request to its end, logs it and answers.
function answer(request, response, connection) {
  request.resume();
  request.on('error', () => {});
  response.on('error', () => {});
  request.on('end', () => {
    fs.writeSync(log, `${connection} ${request.method} ${request.url} HTTP/${request.httpVersion}\n`);
    response.writeHead(200, { 'content-type': 'text/plain', ...fields });
    response.end(request.url);
  });
}

const plain = http.createServer({ maxHeaderSize: 1 << 18 }, (request, response) => {
  const { socket } = request;
  socket.number ??= ++connections;
  // Node.js itself waits for a second longer than keepAliveTimeout says.
  clearTimeout(socket.idle);
  if (settings.idle) {
    response.on('finish', () => { socket.idle = setTimeout(() => socket.destroy(), settings.idle); });
  }
  answer(request, response, socket.number);
});
plain.maxRequestsPerSocket = settings.requests ?? 0;
plain.keepAliveTimeout = 60000;
plain.headersTimeout = 60000;

const secure = http2.createSecureServer({
  key: fs.readFileSync(settings.key),
  cert: fs.readFileSync(settings.certificate),
  settings: { maxConcurrentStreams: settings.streams ?? 100, maxHeaderListSize: 1 << 18 },
});
secure.on('session', (session) => {
  session.number = ++connections;
  session.requests = 0;
  sessions.add(session);
  session.on('close', () => sessions.delete(session));
  session.on('error', () => {});
  if (settings.idle) session.setTimeout(settings.idle, () => session.close());
});
secure.on('request', (request, response) => {
  const session = request.stream.session;
  session.requests += 1;
  if (session.requests === settings.requests) session.close();
  answer(request, response, session.number);
});

process.on('SIGHUP', () => {
  plain.closeIdleConnections();
  for (const session of sessions) session.close();
});

plain.listen(settings.plain, '127.0.0.1', 4096);
secure.listen(settings.tls, '127.0.0.1', 4096);
