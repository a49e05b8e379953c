/** The table of tools: one line each; `all.ts` lists them. */

export { capturePane } from './capture-pane.js';
export { editFileTool } from './edit-file.js';
export { fetchUrl } from './fetch-url.js';
export { findTool } from './find.js';
export { grepTool } from './grep.js';
export { lsTool } from './ls.js';
export { createPane, createSession, killPane, killSession } from './pane-lifecycle.js';
export { readFileTool } from './read-file.js';
export { readOutput } from './read-output.js';
export { runShell } from './run-shell.js';
export { sendKeys } from './send-keys.js';
export { time } from './time.js';
export { webSearch } from './web-search.js';
export { writeFileTool } from './write-file.js';
