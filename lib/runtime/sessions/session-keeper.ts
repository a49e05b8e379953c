/** Keeps the conversation beyond the run: begins sessions, opens earlier ones, lists and copies them. */

import { resolve } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { asBuddyError } from '../../base/errors.js';
import { fileTrouble, systemCode, writeFileSync } from '../../base/files.js';
import type { TaskId } from '../../protocol/commands.js';
import type { RuntimeEvent } from '../../protocol/events.js';
import type { ToolCall } from '../../protocol/messages.js';
import type { SessionId } from '../../protocol/sessions.js';
import type { Spent } from '../../protocol/spent.js';
import type { EntryId } from '../../protocol/tree.js';
import type { Tool } from '../../tools/tool.js';
import type { Conversation } from '../conversation.js';
import { exportedText } from './exported.js';
import { openImport, readImport } from './imports/index.js';
import { OtherSessions, oneLine } from './other-sessions.js';
import { Recorder, type RunningJob } from './recorder.js';
import type { Said, SessionRecord } from './records.js';
import { type Restored, restored } from './restored.js';
import type { SessionCommand, TreeCommand } from './session-commands.js';
import { beginSession, copied, type OpenedSession, openSession, type SessionPlace, sessionOf } from './session-folder.js';
import { lastSession } from './session-list.js';
import type { SessionLog } from './session-log.js';
import { type Continuation, continuationOf, treeOf } from './session-tree.js';

const NOT_KEPT = 'sessions are not kept here';
const NO_ENTRY = 'there is no such entry in this session; /tree shows them';

export interface SessionKeeperOptions {
  /** Null: nothing is kept, and nothing can be opened. */
  readonly place: SessionPlace | null;
  readonly clock: Clock;
  readonly conversation: Conversation;
  newSessionId(): SessionId;
  /** Where commands run now, as a person knows it. */
  target(): string;
  /** What the session in use has used so far. */
  spent(): Spent;
  /** Told when the conversation is another one: no yes of the one before holds in it, and it is told nothing of what was before it. */
  onOther(): void;
  /** Tells how full the model's window is now. */
  tellUse(): void;
  emit(event: RuntimeEvent): void;
}

/** Owns the file of the session in use. */
export class SessionKeeper {
  readonly #options: SessionKeeperOptions;
  /** Null: nothing is kept. */
  readonly #others: OtherSessions | null;
  #recorder: Recorder | null = null;
  /** Files that are being let go of. */
  #closing: Promise<void> = Promise.resolve();
  readonly #jobs = new Map<TaskId, RunningJob>();
  /** A person has been told that the session is kept. */
  #told = false;

  constructor(options: SessionKeeperOptions) {
    this.#options = options;
    const { place, clock, conversation, emit } = options;
    this.#others = place === null ? null : new OtherSessions({ place, clock, inUse: () => conversation.session, emit });
    this.#begin();
  }

  /** The file of a new conversation is made with its first prompt. */
  #begin(): void {
    const { place, conversation, clock, target } = this.#options;
    if (place === null) return;
    const header = { session: conversation.session, createdMs: clock.now(), cwd: place.cwd, target: target(), parent: null };
    this.#use(beginSession(place, header), null);
  }

  /**
   * Does it, or answers why not; `busy` is why the conversation cannot be another one now. Throws `session.*` for one that cannot be opened.
   * A list is told of until the signal fires.
   */
  perform(command: SessionCommand, busy: string | null, signal: AbortSignal): string | null {
    switch (command.type) {
      case 'session.list':
        if (this.#others === null) this.#options.emit({ type: 'session.listed', sessions: [] });
        else this.#others.list(this.#closing, signal);
        return null;
      case 'session.rename':
        return this.#rename(command.name, command.session);
      case 'session.delete':
        return this.#others === null ? NOT_KEPT : this.#others.delete(command.session);
      case 'session.preview':
        if (this.#others === null) return NOT_KEPT;
        this.#others.preview(command.session);
        return null;
      case 'session.export':
        return this.#export(command);
      case 'session.new':
        if (busy === null) this.#beginOther();
        return busy;
      case 'session.fork':
        return busy ?? this.#fork();
      case 'session.import':
        return busy ?? this.#import(command.path);
      case 'tree.tell':
      case 'tree.go':
      case 'tree.label':
        return this.#onTree(command, busy);
      case 'session.resume':
        return busy ?? this.#resume(command.session, command.keepModel === true);
    }
  }

  #beginOther(): void {
    const { conversation, onOther, emit } = this.#options;
    conversation.begin();
    onOther();
    this.#begin();
    emit({ type: 'session.started', session: conversation.session });
    emit({ type: 'metrics.context', usedTokens: 0, windowTokens: conversation.model.contextTokens });
  }

  #resume(wanted: SessionId, keepModel: boolean): string | null {
    const { place, conversation, emit } = this.#options;
    if (place === null) return NOT_KEPT;
    const session = wanted === 'last' ? this.#last(place) : wanted;
    if (session === null) return 'there is no earlier session of yours in this folder';
    if (session === conversation.session) return 'that is the session you are in';
    const opened = openSession(place, session, this.#options.newSessionId);
    const earlier = this.#open(opened);
    for (const message of opened.notices) emit({ type: 'warning', message });
    if (!keepModel) this.#takeModel(earlier.profile);
    this.#tellTarget(earlier);
    this.#options.tellUse();
    return null;
  }

  #fork(): string | null {
    const { place } = this.#options;
    const recorder = this.#recorder;
    if (place === null || recorder === null) return NOT_KEPT;
    if (!recorder.isBegun) return 'there is nothing to copy yet';
    // From memory as well: a disk that refuses the session is a reason to copy it.
    const { header, records } = this.#read(place, recorder);
    this.#open({ ...copied(place, header, records, this.#options.newSessionId()), notices: [] }, false);
    this.#options.tellUse();
    return null;
  }

  /** All of the session in use, what the disk has not taken as well. Throws `session.*` when its file cannot be read. */
  #read(place: SessionPlace, { log }: Recorder): ReturnType<typeof sessionOf> {
    try {
      return sessionOf(place, log.session, log.content());
    } catch (thrown) {
      throw asBuddyError(thrown, 'session.read');
    }
  }

  #import(path: string): string | null {
    const { place, target, emit, newSessionId, tellUse } = this.#options;
    if (place === null) return NOT_KEPT;
    const opened = openImport(place, readImport(fileNamed(place, path)), newSessionId(), target());
    this.#open(opened);
    for (const message of opened.notices) emit({ type: 'warning', message });
    tellUse();
    return null;
  }

  /** The file is what the tree is made of. */
  #onTree(command: TreeCommand, busy: string | null): string | null {
    const { place } = this.#options;
    const recorder = this.#recorder;
    if (place === null || recorder === null) return NOT_KEPT;
    if (recorder.log.isEmpty) return 'nothing has been said yet';
    const { records } = this.#read(place, recorder).lines;
    if (command.type === 'tree.tell') this.#options.emit({ type: 'tree.told', ...treeOf(records) });
    else if (command.type === 'tree.label') return this.#label(recorder, records, command.entry, command.label);
    else return busy ?? this.#goOnFrom(recorder, continuationOf(records, command.entry));
    return null;
  }

  #label(recorder: Recorder, records: readonly SessionRecord[], wanted: EntryId | null, words: string): string | null {
    const { entries, leaf } = treeOf(records);
    const entry = wanted ?? leaf;
    if (entry === null || !entries.some(({ id }) => id === entry)) return NO_ENTRY;
    const label = oneLine(words);
    recorder.label(entry, label);
    this.#options.emit({ type: 'session.labelled', entry, label });
    return null;
  }

  /** The session goes on from an earlier place; nobody's yes holds there, and the model is not told of what came after it. */
  #goOnFrom(recorder: Recorder, to: Continuation | null): string | null {
    const { conversation, target, spent, onOther, tellUse, emit } = this.#options;
    if (to === null) return NO_ENTRY;
    const labels = recorder.branch(to.leaf);
    const earlier = restored(to.path, true);
    conversation.open(conversation.session, earlier.messages);
    onOther();
    this.#recorder = new Recorder({
      conversation,
      log: recorder.log,
      earlier,
      name: recorder.name,
      labels,
      jobs: this.#jobs,
      target,
      spent,
    });
    emit({ type: 'session.branched', past: earlier.past, text: to.text });
    this.#tellTarget(earlier);
    tellUse();
    return null;
  }

  #rename(name: string, session: SessionId = this.#options.conversation.session): string | null {
    const clean = oneLine(name);
    if (this.#recorder === null || this.#others === null) return NOT_KEPT;
    if (clean === '') return 'the name is empty';
    if (session === this.#options.conversation.session) {
      this.#recorder.rename(clean);
      this.#options.emit({ type: 'session.renamed', name: clean });
    } else this.#closing = Promise.all([this.#closing, this.#others.rename(session, clean)]).then(() => undefined);
    return null;
  }

  #export({ format, path, size }: Extract<SessionCommand, { type: 'session.export' }>): string | null {
    const { place, conversation, emit } = this.#options;
    const recorder = this.#recorder;
    if (place === null || recorder === null) return NOT_KEPT;
    if (!recorder.isBegun) return 'there is nothing to export yet';
    const { header, records, bytes, lines } = this.#read(place, recorder);
    const target = fileNamed(place, path === '' ? `buddy-${conversation.session}.${format}` : path);
    try {
      const text = exportedText(format, header, records, () => bytes.toString('utf8', 0, lines.wholeLength), { draw: place.drawing, size });
      writeFileSync(target, text, { mode: 0o600, flag: 'wx' });
    } catch (thrown) {
      return `${target} is not written: ${systemCode(thrown) === 'EEXIST' ? 'there is such a file already' : fileTrouble(thrown)}`;
    }
    emit({ type: 'session.exported', path: target });
    return null;
  }

  /** Told of every event, after everybody else. */
  heard(event: RuntimeEvent, tsMs: number): void {
    this.#recorder?.heard(event, tsMs);
    this.#tellKept();
  }

  /** Writes down what the person has said. */
  write(as: Said): void {
    this.#recorder?.write(as);
    this.#tellKept();
  }

  /** Writes down what the person asked, of which the message is still being made. */
  said(text: string): void {
    this.#recorder?.said(text);
    this.#tellKept();
  }

  /** Resolves once everything is on the disk, when one of those calls may change something: what was done must be known afterwards. */
  async beforeCalls(calls: readonly ToolCall[], tools: readonly Tool[]): Promise<void> {
    const onlyLook = calls.every((call) => tools.find(({ name }) => name === call.name)?.parallel === true);
    if (!onlyLook) await this.#recorder?.log.settle();
  }

  /** Resolves once the file is let go of. */
  async close(): Promise<void> {
    if (this.#recorder !== null) await this.#end(this.#recorder.log);
    await this.#closing;
  }

  #last(place: SessionPlace): SessionId | null {
    const { session, foreign } = lastSession(place, this.#options.conversation.session);
    if (foreign > 0) this.#options.emit({ type: 'warning', message: foreignWords(foreign) });
    return session;
  }

  #open({ log, records, labels, copyOf }: OpenedSession, isShown = true): Restored {
    const { conversation, emit } = this.#options;
    const earlier = restored(records);
    conversation.open(log.session, earlier.messages);
    this.#options.onOther();
    this.#use(log, earlier, labels);
    const past = isShown ? earlier.past : [];
    const spent = earlier.spent === null ? {} : { spent: earlier.spent };
    emit({ type: 'session.resumed', session: log.session, name: earlier.name, copyOf, past, ...spent });
    // A copy is written before anybody hears of it.
    if (log.trouble !== null) log.onTrouble(log.trouble);
    return earlier;
  }

  /** The model that was in use is again, when there still is such a profile. */
  #takeModel(profile: string | null): void {
    const { conversation, emit } = this.#options;
    if (profile === null || profile === conversation.model.profile) return;
    try {
      conversation.switchTo(profile, undefined);
    } catch {
      emit({ type: 'warning', message: `The session was with the model ${profile}, which there is not any more.` });
      return;
    }
    emit({ type: 'model.switched', model: conversation.model });
  }

  /** The model would go on as if it still were where it was. */
  #tellTarget(earlier: Restored): void {
    const { conversation, target, emit } = this.#options;
    const [before, now] = [earlier.target, target()];
    if (before === null || before === now) return;
    emit({ type: 'warning', message: `This session was on ${before}; commands run on ${now} now. The model is told.` });
    const text = `[harness] The conversation was continued later. Until here commands ran on ${before}; from here on they run on ${now}.`;
    conversation.messages.push({ role: 'user', text });
  }

  #use(log: SessionLog, earlier: Restored | null, labels: ReadonlyMap<EntryId, string> = new Map()): void {
    this.#letGo();
    const { conversation, target, spent, emit } = this.#options;
    this.#told = false;
    log.onTrouble = (trouble) => {
      this.#told = trouble === null;
      emit({ type: 'session.storage', session: log.session, trouble });
    };
    this.#recorder = new Recorder({ conversation, log, earlier, labels, jobs: this.#jobs, target, spent });
  }

  #letGo(): void {
    const log = this.#recorder?.log;
    this.#recorder = null;
    if (log === undefined) return;
    log.onTrouble = () => undefined;
    this.#closing = Promise.all([this.#closing, this.#end(log)]).then(() => undefined);
  }

  /** Lets go of a file, and tells when the disk has refused to the end. */
  async #end(log: SessionLog): Promise<void> {
    await log.close();
    if (!log.isWaiting) return;
    const message = `Session ${log.session} is not saved to its end (${log.trouble}): what was not written is lost.`;
    this.#options.emit({ type: 'warning', message });
  }

  #tellKept(): void {
    const recorder = this.#recorder;
    if (this.#told || recorder === null || !recorder.isBegun || !recorder.log.isWritten) return;
    this.#told = true;
    this.#options.emit({ type: 'session.storage', session: recorder.log.session, trouble: null });
  }
}

/** The file that a person means: in the folder of the sessions, or in their home. */
function fileNamed({ cwd, homeDir = '~' }: SessionPlace, path: string): string {
  return resolve(
    cwd,
    path.replace(/^~(?=\/)/, () => homeDir),
  );
}

/** Of sessions that are newer than the newest of the person's own. */
export function foreignWords(count: number): string {
  const what = count === 1 ? 'A newer session' : `${count} newer sessions`;
  return `${what} in this folder ${count === 1 ? 'was' : 'were'} not written by you here and ${count === 1 ? 'is' : 'are'} left alone.`;
}
