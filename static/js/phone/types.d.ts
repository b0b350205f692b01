// The messages between a crew page, the service worker, the engine and the server, and what a phone stores. Only
// `make lint-scripts` and editors read this file.
//
// Messages are data: after an update, a service worker talks to pages of the previous version, a page of the new version
// talks to the previous service worker, and to its engine. Stored rows are data as well; migrations.js says what each
// store is for.

/**
 * The version of the messages. One that has none is of version 1.0.0 of the app, and is the same as 1. Whoever gets a
 * message with a higher number does without the other side, as if it had not answered. So a change that an older side
 * could misread gets a new number, and the newer side goes on speaking the older one to those that send it.
 */
type Protocol = 1;

// --- between a page and the service worker ---

/** A request that the service worker has described, for a page with the engine. */
interface EngineRequest {
  method: string;
  /** With its query. */
  path: string;
  /** By lower-case names. */
  headers: Record<string, string>;
  /** Form-encoded, or "". */
  body: string;
  isNavigation?: boolean;
  /** The code of the language of the app's version in use, unless the request is for a part of an open page in another. */
  language?: string;
  /** Whether a ride that was a draft may be open by now. */
  mayBeOpen?: boolean;
}

/** "ahead": only if the phone has entries that the server lacks. */
type AskWhen = "always" | "ahead";

type MessageToPage =
  | (EngineRequest & { ask: "answer"; when: AskWhen; protocol?: Protocol })
  | { tell: "answered"; tap: number; status: number };

type MessageToServiceWorker =
  | { tell: "take-over" }
  | { ask: "may-upgrade"; file: string }
  | { tell: "network"; isGood: boolean };

/** What the engine answers to a request. */
interface EngineReply {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The bodies of what the request recorded, in order. */
  operations: OperationBody[];
}

/** A reply of the engine, with what the page knows about it. */
interface PageReply extends EngineReply {
  /** Only the server can handle the request. */
  isUnable?: boolean;
  /** The server may know more. */
  isUnknown?: boolean;
  /** The form is still stored under this number, until the page is told what the server answered. */
  tap?: number;
}

/** What a page sends through the port of an "answer": first that it will answer, or {} if it cannot; then the reply. */
type MessageThroughPort = { isTaken?: true; protocol?: Protocol } & Partial<PageReply>;

/** What a page sends over the channel "tailgunner-update". */
type UpdateMessage = "stop-waiting";

/** What the service worker knows of a request for the engine. */
type DescribedRequest = EngineRequest & { isNavigation: boolean };

/** The line that the server puts before the service worker's script. */
interface AppConfig {
  version: string;
  files: string[];
  /** The first one is the shell. */
  pages: string[];
  hasEngine: boolean;
  /** The code of the language that everything above is in. */
  language: string;
}
declare const APP: AppConfig;

// --- between a page and the engine's worker ---

interface EngineCall {
  number: number;
  name: "load" | "answer" | "set_language";
  /** JSON */
  text: string;
}

type MessageFromEngine =
  | { number: number; answer: string; error?: undefined }
  | { number: number; answer?: undefined; error: string }
  | { isStarted: true; isRestored: boolean; language?: string; protocol?: Protocol }
  | { isStarted: false; error: string };

/** Stores the snapshot of one build's memory. */
interface Snapshots {
  load(digest: string): Promise<Uint8Array<ArrayBuffer> | null>;
  save(digest: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** Why the app does not start: it takes too long, another version has taken over, memory is short, or storage hangs. */
type FailureReason = "slow" | "older" | "memory" | "database";

interface EngineStatus {
  /** "none": there is no ride. */
  how: "none" | "starting" | "ready" | "failed";
  error: Error | null;
  problems: unknown[];
  /** Of the ride. */
  owner: Owner | null;
  /** The code of the one that the engine answers in, if it says so. */
  language?: string;
  /** Whether the engine was restored from a snapshot, which takes a third of the time. */
  isRestored: boolean;
}

/** Entries for the engine to replay, and by their ids when they were made. */
interface Replay {
  operations: OperationBody[];
  times: Record<string, string>;
}

// --- between a page and the server ---

/** An entry, as POST /api/v1/operations accepts it. The game decides what else is in it. */
interface OperationBody {
  id: string;
  kind?: string;
  contest?: string;
  slot?: string;
  bike?: string;
  turn?: string;
  targets?: { turn: string }[];
  actions?: unknown[];
  dice_set?: string | null;
  reason?: string;
  takes_over?: boolean;
  number?: number;
  rider?: string;
  passenger?: string;
}

interface Problem {
  code?: string;
  message: string;
  rule?: string;
  href?: string;
}

interface ReceiptEntry {
  chain: string;
  seq: number;
  hash: string;
}

interface Receipt {
  /** Of the operation; null if the server cannot repeat it. */
  id?: string | null;
  outcome: string;
  /** The id under which the server knows the operation, if that is another one. */
  operation?: string;
  entries: ReceiptEntry[];
  problems: Problem[];
}

interface ServerReply {
  receipts?: Receipt[];
  server_time?: string;
  error?: { code?: string; message?: string };
}

/** How many entries for an event the server lacks. */
interface Unrecorded {
  unsent: number;
  attention: number;
}

/** An entry signed by the phone that made it, as POST /api/v1/carried accepts it. */
interface Envelope {
  device: string;
  operations_json: string;
  signature: string;
}

/** What is in an envelope's `operations_json`. */
interface Claims {
  device: string;
  sequence: number;
  noted: string;
  operation: OperationBody;
}

/** Envelopes that one phone gives to another, and the names of their devices' owners. */
interface BundleContent {
  names: Record<string, string>;
  envelopes: Envelope[];
}

/** A part of the ride. Its other keys are names of models, with their rows. */
interface Part {
  own?: { decisions: Record<string, string>; counts: Record<string, number>; losses?: MemoryLoss[] };
  static?: Record<string, string>;
  columns?: Record<string, string[]>;
  [model: `${string}.${string}`]: unknown[][] | undefined;
}

/** The parts of the ride by their keys, each with its fingerprint. */
type Parts = Record<string, [fingerprint: string, content: Part]>;
type Fingerprints = Record<string, string>;

interface PartsReply {
  device: string;
  owner: Owner;
  digest: string;
  server_time: string;
  parts: Parts;
  buckets: number[];
}

/** A memory that was lost with entries, until an organiser has confirmed it. */
interface MemoryLoss {
  reason: "cleared" | "replaced";
  found_at: string;
  last_report_at: string | null;
  /** Entries that had not been sent, as far as is known. */
  missing: number;
}

/** What localStorage has of the phone's memory: its id, how many entries were made in it, and how many are pending. */
interface Counted {
  id: string;
  made: number;
  pending: number;
}

/** A message from the organiser. */
interface CrewMessage {
  id: string;
  text: string;
  sent_at: string;
}

// --- what the phone stores ---

/** The crew member to whom the phone belongs. */
interface Owner {
  device: string;
  member: string;
  event: string;
  name: string;
  is_practice: boolean;
  is_draft: boolean;
  /** The ride's offset from UTC in seconds. A copy that an older version of the app stored has none. */
  utc_offset?: number;
}

interface OperationFields {
  seq: number;
  id: string;
  /** null: it cannot be sent at all. */
  body: OperationBody | null;
  label: string;
  path: string;
  /** What was typed into its form, form-encoded. Older entries lack it. */
  form?: string;
  /** Older entries lack it. */
  owner?: Owner | null;
  noted: number;
  tried?: number;
  failures?: number;
  device?: string;
  former?: Receipt[];
  acknowledged?: number;
  decision?: string;
  isUnproven?: boolean;
  /** The server had lost it. */
  isAgain?: boolean;
}
type WaitingOperation = OperationFields & { state: "waiting"; receipt: Receipt | null; body: OperationBody };
type SettledOperation = OperationFields & { state: "sent" | "attention" | "aside"; receipt: Receipt };
type Operation = WaitingOperation | SettledOperation;
type OperationState = Operation["state"];

/** Where an entry came from. */
interface EntrySource {
  label: string;
  path: string;
  /** What was typed into its form, form-encoded. */
  form: string;
  owner?: Owner | null;
}

interface Tap {
  number: number;
  request: EngineRequest;
  label: string;
  owner?: Owner | null;
  noted: number;
}

interface Draft {
  place: string;
  path: string;
  fields: [name: string, value: string][];
  kept: number;
}

/** An envelope of another phone. */
interface Relayed extends Envelope {
  id: string;
  /** The name of its device's owner, or "". */
  from: string;
  sequence: number;
  taken: number;
  state: "waiting" | "delivered" | "stopped";
  receipt: Receipt | null;
  failures?: number;
  acknowledged?: number;
}

interface DeviceKey {
  device: string;
  privateKey: CryptoKey;
  /** SPKI, base64url */
  publicKey: string;
  /** "wait": not registered yet; "no": the server has another key. */
  how: "wait" | "yes" | "no";
  since: number;
}

/** The head of the copy of the ride. */
interface RideHead {
  owner: Owner;
  /** When it was requested, by this phone's clock. */
  asked: number;
  /** Older versions of the app stored the whole copy as `text`, without these. */
  digest: string;
  fingerprints: Fingerprints;
  serverTime: string;
  text?: string;
}

interface Facts {
  clock: { ahead: number; noted: number };
  owner: Owner & { asked: number };
  key: DeviceKey;
  /** How many entries the server lacked, by device. */
  lacking: Record<string, number>;
  /** Whether each message is sent as read. */
  "messages read": { device?: string; ids: Record<string, boolean> };
  reported: Unrecorded & { device?: string; at: number };
  /** `gap`: how many running numbers were missing when the id was made. `lost`: what is known of the memory before. */
  memory: { id: string; gap: number; lost?: { found: number; pending: number; told?: number } };
}

// Not an interface: idb's types take only the keys of a type.
type PhoneDatabase = {
  operations: { key: number; value: Operation; indexes: { id: string; state: OperationState } };
  ride: { key: "copy"; value: RideHead };
  parts: { key: string; value: Part };
  drafts: { key: string; value: Draft };
  facts: { key: keyof Facts; value: Facts[keyof Facts] };
  taps: { key: number; value: Tap };
  carried: { key: [device: string, operations_json: string]; value: Relayed };
  keys: { key: string; value: DeviceKey };
};

type Database = import("../../vendor/idb-8.0.4/index.js").IDBPDatabase<PhoneDatabase>;
type CopyStores = ("ride" | "parts" | "facts")[];
type CopyTransaction = import("../../vendor/idb-8.0.4/index.js").IDBPTransaction<PhoneDatabase, CopyStores, "readwrite">;
type PartStore = import("../../vendor/idb-8.0.4/index.js").IDBPObjectStore<PhoneDatabase, CopyStores, "parts", "readwrite">;

// --- between the modules of a page ---

/** "": nothing is known yet; "away": the server cannot be reached; "deleted": the ride is. */
type NetworkState = "" | "ok" | "away" | "signed_out" | "deleted";

/** "": nothing is known yet; "slow": the server has not responded yet; "portal": this network wants the user to log in. */
type LinkState = "" | "ok" | "away" | "slow" | "portal";

interface SenderStatus {
  how: "ok" | "away" | "signed_out" | "not_open" | "deleted";
  isSending: boolean;
}

/** What happened in the outbox. Pages tell each other over the channel "tailgunner-outbox". */
type OutboxChange = "kept" | "settled" | "refused" | "again" | "aside" | "decided" | "tap";

/** What happened to relayed entries. Pages tell each other over the channel "tailgunner-carried". */
type RelayedChange = "taken" | "settled" | "refused";

interface DocumentEventMap {
  "phone:engine": CustomEvent<EngineStatus>;
  "phone:judged": CustomEvent;
  "phone:key": CustomEvent;
  "phone:link": CustomEvent<{ how: LinkState }>;
  "phone:list": CustomEvent;
  "phone:network": CustomEvent<{ how: NetworkState }>;
  "phone:outbox": CustomEvent<{ what: OutboxChange; isElsewhere: boolean }>;
  "phone:page": CustomEvent<{ isFromPhone: boolean; isFromServer?: boolean }>;
  "phone:recorded": CustomEvent<EngineRequest>;
  "phone:relayed": CustomEvent<{ what: RelayedChange }>;
  "phone:ride": CustomEvent;
  "phone:sender": CustomEvent<SenderStatus>;
  "phone:sent": CustomEvent;
  "phone:tap": CustomEvent;
  "phone:update": CustomEvent;
}
