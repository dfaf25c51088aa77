import { App } from "./app.js";

// for tests and for the curious
globalThis.erltrace = new App(document.getElementById("app"));
