// Validates the files named on the command line with the Khronos validator; prints one JSON list of reports.
"use strict";

const fs = require("fs");
const path = require("path");
const validator = require("gltf-validator");

function beside(file) {
  return (uri) =>
    new Promise((resolve, reject) => {
      const target = path.resolve(path.dirname(file), decodeURIComponent(uri));
      fs.readFile(target, (error, data) => (error ? reject(error.toString()) : resolve(new Uint8Array(data))));
    });
}

async function report(file) {
  try {
    const bytes = new Uint8Array(fs.readFileSync(file));
    const options = { uri: path.basename(file), maxIssues: 0, externalResourceFunction: beside(file) };
    return { messages: (await validator.validateBytes(bytes, options)).issues.messages };
  } catch (error) {
    return { refused: String(error) };
  }
}

Promise.all(process.argv.slice(2).map(report)).then((reports) => process.stdout.write(JSON.stringify(reports)));
