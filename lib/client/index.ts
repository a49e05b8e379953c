/** buddy-tui/client: buddy-tui driven from another program. The door of the package; what is exported here is its public side. */

export { BuddyError } from '../base/errors.js';
export type { ApprovalRequest } from '../protocol/approvals.js';
export type { RuntimeCommand } from '../protocol/commands.js';
export type { RuntimeEvent, RuntimeEventEnvelope } from '../protocol/events.js';
export { PROTOCOL_VERSION, type StreamHeader, type WireRequest, type WireState } from '../protocol/wire.js';
export type { AnswerTo, BuddyClient, ClientEnd, ClientOptions } from './client.js';
export { connect } from './connection.js';
