// Firefox ESR has no command that sets a colour scheme, and Playwright's driver gives up without its answer.
// Loaded before the driver, this leaves that command out: the pages have the scheme of the system.
const Module = require("module");

const UNKNOWN = /\.send\("emulation\.setMediaFeaturesOverride", \{/g;
const compile = Module.prototype._compile;

Module.prototype._compile = function (source, name) {
  const known = name.endsWith("coreBundle.js")
    ? source.replaceAll(UNKNOWN, '.send("session.status", {}) && void ({')
    : source;
  return compile.call(this, known, name);
};
