// The terminal in the page, and its connection to the app.
import { Terminal } from "./xterm.mjs";
import { FitAddon } from "./addon-fit.mjs";

const PIECE = 8192; // characters of input in one message
const NOTICES = {
  4000: "Session ended. Reload the page or press any key to start again.",
  4001: "Noughts was opened in another tab or window of this browser. Press any key to continue here.",
  4002: "Every place is taken. Reload the page later.",
  4003: "The app could not start. Tell whoever runs the server.",
};
const LOST = "Connection lost. Reload the page or press any key to reconnect.";

const terminal = new Terminal({
  allowProposedApi: false,
  fontFamily: 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", monospace',
  fontSize: 16,
  scrollback: 0,
  cursorBlink: false,
  macOptionIsMeta: true,
});
const fit = new FitAddon();
terminal.loadAddon(fit);
terminal.open(document.getElementById("terminal"));
fit.fit();
terminal.focus();

const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
socket.binaryType = "arraybuffer";
const send = (...message) => {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
};
const sendSize = () => send("size", terminal.cols, terminal.rows);

socket.onopen = sendSize;
socket.onclose = ({ code }) => notice(NOTICES[code] ?? LOST);
socket.onmessage = ({ data }) => {
  if (typeof data === "string") takeFile(...JSON.parse(data));
  else terminal.write(new Uint8Array(data));
};

const pieces = new RegExp(`[^]{1,${PIECE}}`, "gu");
terminal.onData((text) => text.match(pieces).forEach((piece) => send("input", piece)));
terminal.onResize(sendSize);

// The app copies text by the control sequence OSC 52; requests to read the clipboard are ignored.
terminal.parser.registerOscHandler(52, (text) => {
  const encoded = text.slice(text.indexOf(";") + 1);
  if (encoded !== "?") {
    const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
    copy(new TextDecoder().decode(bytes));
  }
  return true;
});

function copy(text) {
  if (navigator.clipboard) {
    navigator.clipboard.writeText(text).catch(() => {});
    return;
  }
  const area = document.createElement("textarea"); // pages without TLS have no clipboard object
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  terminal.focus();
}

// A file comes as ["file", key, name], any number of ["chunk", key, base64], and ["saved", key].
const files = new Map();
function takeFile(kind, key, value) {
  if (kind === "file") files.set(key, { name: value, parts: [] });
  else if (kind === "chunk") {
    files.get(key)?.parts.push(Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0)));
  } else if (kind === "saved" && files.has(key)) {
    const { name, parts } = files.get(key);
    files.delete(key);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(parts, { type: "application/octet-stream" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }
}

let resizing = 0;
new ResizeObserver(() => {
  clearTimeout(resizing);
  resizing = setTimeout(() => fit.fit(), 100);
}).observe(document.getElementById("terminal"));

window.addEventListener("focus", () => terminal.focus());
document.addEventListener("pointerup", () => terminal.focus());

function notice(text) {
  const line = document.getElementById("notice");
  line.textContent = text;
  line.hidden = false;
  terminal.options.disableStdin = true;
  // Not at once: a key that is still held down would reload the page.
  setTimeout(() => document.addEventListener("keydown", (event) => {
    if (!event.repeat) location.reload();
  }, true), 500);
}
