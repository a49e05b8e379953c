/** The table of tools: one line each. */

import { capturePane } from './capture-pane.js';
import { editFileTool } from './edit-file.js';
import { fetchUrl } from './fetch-url.js';
import { findTool } from './find.js';
import { grepTool } from './grep.js';
import { lsTool } from './ls.js';
import { createPane, createSession, killPane, killSession } from './pane-lifecycle.js';
import { readFileTool } from './read-file.js';
import { readOutput } from './read-output.js';
import { runShell } from './run-shell.js';
import { sendKeys } from './send-keys.js';
import { time } from './time.js';
import type { Tool } from './tool.js';
import { webSearch } from './web-search.js';
import { writeFileTool } from './write-file.js';

/** Every tool there is, in the order models are shown them. */
export const tools: readonly Tool[] = [
  runShell,
  readOutput,
  readFileTool,
  writeFileTool,
  editFileTool,
  grepTool,
  findTool,
  lsTool,
  capturePane,
  sendKeys,
  createPane,
  killPane,
  createSession,
  killSession,
  fetchUrl,
  webSearch,
  time,
];
