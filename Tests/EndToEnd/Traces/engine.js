// Runs Perfetto's own trace processor: frames of bytes on standard input are its requests, frames on
// standard output its answers. A frame is its length (4 bytes, little-endian) and that many bytes.
//
// node engine.js FOLDER   where FOLDER holds engine_bundle.js and trace_processor.wasm
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const folder = process.argv[2];

// What a worker of a browser has, which is what the engine was built for.
const worker = {
  TextDecoder, TextEncoder, URL, performance, setTimeout, clearTimeout, queueMicrotask,
  crypto: globalThis.crypto,
  console: { log: console.error, warn: console.error, error: console.error },
  importScripts() {},
  location: { href: "file:///engine_bundle.js" },
  // Only ever asked for the module, and at once.
  XMLHttpRequest: class {
    open(method, name) {
      this.name = path.basename(String(name));
    }
    send() {
      this.response = fs.readFileSync(path.join(folder, this.name));
    }
  },
};
worker.self = worker;
worker.WorkerGlobalScope = function () {};
vm.runInContext(
  fs.readFileSync(path.join(folder, "engine_bundle.js"), "utf8"), vm.createContext(worker));

function writeAll(bytes) {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += fs.writeSync(1, bytes, done);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

const port = {
  postMessage(answer) {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(answer.length);
    writeAll(head);
    writeAll(Buffer.from(answer));
  },
};
worker.onmessage({ data: port });

function readExactly(count) {
  const bytes = Buffer.alloc(count);
  for (let done = 0; done < count; ) {
    const got = fs.readSync(0, bytes, done, count - done, null);
    if (got === 0) process.exit(0);
    done += got;
  }
  return bytes;
}

// The engine asks that what it is given be an array of its own realm.
const realmArray = vm.runInContext("Uint8Array", worker);

function serve() {
  const frame = readExactly(readExactly(4).readUInt32LE());
  port.onmessage({ data: new realmArray(frame) });
  setImmediate(serve);
}

// The module starts in a microtask.
setImmediate(serve);

// The engine is one line of a megabyte, which node would print.
process.on("uncaughtException", (error) => {
  console.error(String(error.stack ?? error).slice(0, 2000));
  process.exit(1);
});
