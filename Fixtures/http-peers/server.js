// The server of Node: SITE is the folder with the files, CERTIFICATE and KEY are files, PORT is the port. It ends a connection
// after seven requests.
const fs = require("node:fs"), http2 = require("node:http2"), path = require("node:path");
const { SITE, CERTIFICATE, KEY, PORT } = process.env;

function answer(request, response) {
  const end = (status, body = "", headers = {}) => {
    response.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers });
    response.end(request.method === "HEAD" ? undefined : body);
  };
  const name = request.url.slice(1), file = path.join(SITE, name);
  if (request.url === "/refuse") return end(413, "too much");
  if (request.url === "/moved") return end(302, "", { location: "" });
  if (request.url === "/none") { response.writeHead(204); return response.end(); }
  if (request.url === "/pieces") {
    response.writeHead(200);
    for (let number = 0; number < 3; number += 1) response.write("a piece\n".repeat(1000));
    return response.end();
  }
  if (request.url === "/echo") {
    let size = 0, low = 1, high = 0;
    request.on("data", data => {
      size += data.length;
      for (const byte of data) { low = (low + byte) % 65521; high = (high + low) % 65521; }
    });
    return request.on("end", () => end(200, `${size} ${high * 65536 + low}`));
  }
  if (/^[a-z.]+$/.test(name) && fs.existsSync(file)) return end(200, fs.readFileSync(file));
  return end(404, "no such thing");
}

const options = { cert: fs.readFileSync(CERTIFICATE), key: fs.readFileSync(KEY), allowHTTP1: true };
const server = http2.createSecureServer(options, answer);
server.maxRequestsPerSocket = 7;
server.on("session", session => {
  let count = 0;
  session.on("stream", () => { count += 1; if (count === 7) session.close(); });
});
server.on("sessionError", () => {});
server.listen(Number(PORT), "127.0.0.1");
